/**
 * From a process to the stream: the recorder writes rings in shared memory, the agent beside the
 * process merges and numbers what is in them.
 */
package dev.tidemark.ingest;
