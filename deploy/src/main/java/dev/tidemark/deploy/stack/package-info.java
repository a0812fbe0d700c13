/**
 * The local stack: a real Kafka broker and a real Flink cluster inside this process.
 *
 * <p>Both listen on loopback only, on ports that were free, and keep what they write in a folder
 * that is removed with them. Neither knows the jobs; {@link
 * dev.tidemark.deploy.stack.EmbeddedFlink} runs whatever graph it is given, so that the same job
 * runs here and on a cluster of its own.
 */
package dev.tidemark.deploy.stack;
