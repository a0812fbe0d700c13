/**
 * The replay: from the records of a session to rows of the lake. Plain Java; the job around it is
 * {@code dev.tidemark.jobs}.
 *
 * <pre>
 *   records of one session          RecordSequencer      SessionReplay
 *   (any order, repeated,   ------> in order, once,  --> events in order  ---> ReplayOutput
 *    some missing)                  holes named          |         |            rows, event batches,
 *                                                      LiveSet  SessionSpans    rejected records
 *                                                        |         |
 *                                          BlockTable, ThreadTable, SpanTrack, PhaseTable
 *                                                        |
 *                                                    PageStore (what a checkpoint keeps)
 * </pre>
 *
 * <p>{@code SessionPass} holds the two together for one epoch; {@link
 * dev.tidemark.replay.ReplayedSession} goes from epoch to epoch of one session id, and is all that
 * a caller needs. Everything it does follows from the records and the broker's time stamps, never
 * from the caller's clock: a second reading of the same records gives the same rows. The one
 * exception is {@link dev.tidemark.replay.ReplayedSession#lose}, which the caller's clock decides,
 * and whose rows are marked as void once records come after all.
 *
 * <p><b>What a hole costs.</b> The head of an event block is absolute. When its first event or
 * first block is not the expected one, or it says that events were dropped, the frame and tick at
 * that place are incomplete, live bytes and blocks are set to the head's, and the difference goes
 * into {@code adjusted_live_bytes}. What the span before had released in its next one can no longer
 * be known, and is NULL. While a block says that dropping goes on, so is every frame and tick that
 * has a part in it. Blocks made in the hole are unknown: their release is counted as a call and as
 * an unknown free, and their bytes leave {@code live_bytes} by adjustment at the next head. A hole
 * without events (a lost memory sample) costs nothing but its count.
 *
 * <p><b>Live blocks</b> lie in pages of 1,024 ordinals, 24 bytes a block, dense while most of a
 * page lives and packed when most of it is gone. A checkpoint writes the pages that changed.
 *
 * <p><b>Hostile records</b> cost a rejected record or a wrong figure of their own session: sums
 * wrap, threads past 262,144 and phases past 1,024 share one entry, names are cut at 256
 * characters, and nothing is allocated by a number in a record rather than by its length.
 */
@NullMarked
package dev.tidemark.replay;

import org.jspecify.annotations.NullMarked;
