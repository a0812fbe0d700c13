/**
 * The agent beside the recorded processes: it serves a folder of ring files, each of which becomes
 * a session of the stream.
 *
 * <p>{@link dev.tidemark.ingest.agent.Agent} has one thread that finds files, beats the heart in
 * them, polls every {@link dev.tidemark.ingest.agent.RecordedSession} and notices ends; a second
 * one samples memory, since that may wait for the kernel. A session is a line of small things: the
 * merger tells {@code BlockBuilder} events in order, which fills columns and cuts blocks; {@code
 * RecordOutput} numbers the records and holds them back until {@code MarkTracks} knows what marks
 * frames and ticks, which stands in the first record.
 */
@NullMarked
package dev.tidemark.ingest.agent;

import org.jspecify.annotations.NullMarked;
