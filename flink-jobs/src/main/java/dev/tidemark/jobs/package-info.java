/**
 * The jobs: each has a {@code main} that makes sources and sinks, and a {@code define} that builds
 * the graph between them. The replay itself is plain Java in {@code dev.tidemark.replay}.
 *
 * <pre>
 *   tidemark.trace, tidemark.bulk
 *     Trace records     raw bytes with topic, partition, offset and the broker's time stamp
 *     Find the session  reads the head; what has none is a dead letter
 *     Replay            keyed by session id: ReplayOperator around ReplayedSession
 *     Small tables (1), Frames and ticks (up to 2), Events, Dead letters
 * </pre>
 *
 * <p><b>Running it.</b> {@code TraceJob.define(environment, options)} builds the graph; the caller
 * submits it, to a MiniCluster with {@code submitJob(environment.getStreamGraph())} or with {@code
 * environment.execute()}. With {@code withBounded(true)} the job reads what the topics hold when it
 * starts, and ends: sessions without an end become {@code lost}, every file is finished and
 * visible, and only then does the job's result arrive ({@code requestJobResult}, or {@code execute}
 * returning). An unbounded job ends the same way by {@code stopWithSavepoint(job, folder, true,
 * CANONICAL)}: {@code drain} sends the end of time through the graph, so that what is open becomes
 * lost and the last rows are written and finished. Without drain nothing becomes lost, and the job
 * goes on from the savepoint later. A cancelled job leaves rows since its last checkpoint
 * unwritten.
 *
 * <p><b>Loads.</b> A load is a submission id with an epoch. Both the id and the time of submission
 * are plain options, so a restart from a checkpoint keeps them. A row of {@code sessions} tells its
 * load, and whether that load has the whole session. {@code loaded_at} is the time of submission,
 * or of the load's first record by the broker's time stamp when that is later.
 *
 * <p><b>State</b> is one {@code MapState} of pages by number for each session. Live blocks are on
 * the heap up to {@code cacheBytes}; a checkpoint first writes what changed. A closed session keeps
 * its epoch for 30 days; a lost one is kept for a day, so that late records open it again.
 */
@NullMarked
package dev.tidemark.jobs;

import org.jspecify.annotations.NullMarked;
