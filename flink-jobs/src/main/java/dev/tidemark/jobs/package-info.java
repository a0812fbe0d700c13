/**
 * The jobs: each has a {@code main} that makes sources and sinks, and a {@code define} that builds
 * the graph between them. The replay itself is plain Java in {@code dev.tidemark.replay}.
 */
package dev.tidemark.jobs;
