/**
 * A recording replayed through other allocators.
 *
 * <p>{@link dev.tidemark.ingest.replayer.ReplayPlan} turns a recording into a plan file: for each
 * thread a list of operations with their slots resolved, so that the program in {@code
 * ingest/replayer} does nothing between two calls but fetch the next. {@link
 * dev.tidemark.ingest.replayer.Replayer} runs that program, one process per session, with the arm's
 * library preloaded, and turns what it measured into records that go through the same chain as a
 * live session's.
 *
 * <p>A replayed session has the order, times and marks of its recording: an operation stays in the
 * frame in which it was recorded, however late it was replayed, and {@code late_ratio} says how
 * late that was. Only what was measured anew is of the replay: durations, first writes, switches,
 * memory.
 */
@NullMarked
package dev.tidemark.ingest.replayer;

import org.jspecify.annotations.NullMarked;
