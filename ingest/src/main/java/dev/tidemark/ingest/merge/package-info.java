/**
 * From the rings of one process to one numbered order of events.
 *
 * <p>{@link dev.tidemark.ingest.merge.RingMerger} copies records out of the rings and hands them on
 * in the order of their keys: an allocation is placed by its return, a release by its begin. A
 * record is handed on when nothing with a lower key can come any more, which is what the watermark
 * says: the newest stamp seen in a first pass over all rings, less a margin for stores that are
 * still on their way, bounded in a second pass by the calls in flight and by what was left unread.
 * {@link dev.tidemark.ingest.merge.EventNumberer} resolves addresses to ordinals of blocks, so that
 * no address leaves this package, and tells an {@link dev.tidemark.ingest.merge.EventOutput}.
 *
 * <p>Nothing is mis-paired in silence: times that had to be clamped, releases moved before the
 * allocation of their address, releases that were missed and releases of unknown addresses are
 * counted in {@link dev.tidemark.ingest.merge.MergeCounts}.
 */
@NullMarked
package dev.tidemark.ingest.merge;

import org.jspecify.annotations.NullMarked;
