/**
 * The commands behind {@code ./tidemark}, and the local stack they run on: a real broker and a real
 * Flink cluster inside this process, unless addresses of others are given.
 */
package dev.tidemark.deploy;
