package dev.tidemark.replay;

import dev.tidemark.schemas.EventColumns;
import dev.tidemark.schemas.Operation;

/**
 * The blocks that live, and what each call does to them: to the blocks themselves, to their number
 * and bytes, and to the sums of the thread that calls and of the stretch in hand. A stretch is what
 * lies between two marks; {@link #settle} adds it to the spans.
 */
final class LiveSet {
    private static final int MIN_ALIGNMENT_LOG2 = 4;
    private static final long MAX_STALE_BLOCKS = 1 << 20;
    private static final int NO_THREAD = -1;

    private final BlockTable table;
    private final ThreadTable threads;
    private final SessionSpans spans;
    private final SessionQuality quality;
    private final RowSink rows;

    /** Sums since the last mark or the head of a block of events; not yet in any span. */
    private final CallTotals stretch = new CallTotals(0);

    private long bytes;
    private long blocks;

    private int thread = NO_THREAD;
    private int threadIndex;
    private long releasedBytes;

    LiveSet(
            BlockTable table,
            ThreadTable threads,
            SessionSpans spans,
            SessionQuality quality,
            RowSink rows) {
        this.table = table;
        this.threads = threads;
        this.spans = spans;
        this.quality = quality;
        this.rows = rows;
    }

    BlockTable table() {
        return table;
    }

    long bytes() {
        return bytes;
    }

    long blocks() {
        return blocks;
    }

    /** Size of the block released last, {@link EventBatch#NULL} when it was not known. */
    long releasedBytes() {
        return releasedBytes;
    }

    /**
     * Takes a call, in the spans that are current.
     *
     * @return whether it did anything: the release of no block does not
     */
    boolean call(EventColumns columns, int i, int operation) {
        if (columns.thread(i) != thread) {
            enter(columns.thread(i));
        }
        long released = columns.released(i);
        if (operation >= Operation.FREE) {
            if (released == EventColumns.NO_BLOCK) {
                return false;
            }
            if (operation == Operation.MISSED_FREE) {
                quality.missedFrees++;
            }
            free(released);
        } else if (released == EventColumns.NO_BLOCK) {
            allocate(columns, i, true);
        } else if (columns.made(i) != EventColumns.NO_BLOCK) {
            release(released);
            stretch.reallocCalls++;
            allocate(columns, i, false);
        } else if (columns.sizeBytes(i) == 0) {
            free(released);
        } else {
            stretch.failedCalls++;
        }
        if (operation != Operation.MISSED_FREE) {
            stretch.took(columns.durationNs(i));
            threads.called(threadIndex, columns.durationNs(i));
        }
        if (bytes > stretch.peakLiveBytes) {
            stretch.peakLiveBytes = bytes;
        }
        return true;
    }

    private void enter(int number) {
        thread = number;
        threadIndex = threads.indexOf(number);
        spans.enter(threadIndex);
    }

    /** The current spans may change: the next call enters its thread anew. */
    void leaveThread() {
        thread = NO_THREAD;
    }

    private void free(long block) {
        stretch.freeCalls++;
        threads.freed(threadIndex);
        release(block);
    }

    private void release(long block) {
        releasedBytes = EventBatch.NULL;
        if (block == EventColumns.UNKNOWN_BLOCK) {
            quality.unknownFrees++;
        } else if (block == EventColumns.PREEXISTING_BLOCK) {
            quality.preexistingFrees++;
        } else if (table.take(block)) {
            long size = table.takenSize();
            releasedBytes = size;
            bytes -= size;
            blocks--;
            stretch.freeBytes += size;
            spans.released(table);
            if (table.takenThread() != thread) {
                threads.freedAcross(threadIndex);
            }
        } else {
            quality.unknownFrees++;
            blocks--;
        }
    }

    private void allocate(EventColumns columns, int i, boolean isNewBlock) {
        long size = columns.sizeBytes(i);
        long block = columns.made(i);
        if (block == EventColumns.NO_BLOCK && size != 0) {
            stretch.failedCalls++;
            return;
        }
        stretch.allocCalls += isNewBlock ? 1 : 0;
        stretch.allocBytes += size;
        threads.allocated(threadIndex, size, isNewBlock);
        if (columns.isFirstWriteTimed()) {
            stretch.firstWriteNs += columns.firstWriteNs(i);
            threads.wrote(threadIndex, columns.firstWriteNs(i));
        }
        if (block != EventColumns.NO_BLOCK) {
            bytes += size;
            blocks++;
            table.put(
                    block,
                    size,
                    spans.frame(),
                    spans.tick(),
                    thread,
                    alignmentLog2(columns.alignmentBytes(i)));
        }
    }

    private static int alignmentLog2(long alignmentBytes) {
        return alignmentBytes <= 1 << MIN_ALIGNMENT_LOG2
                ? MIN_ALIGNMENT_LOG2
                : Long.SIZE - Long.numberOfLeadingZeros(alignmentBytes - 1);
    }

    /**
     * Takes what a thread did, in sums instead of calls; the blocks that it left come with {@link
     * #said}.
     */
    void add(int index, CallTotals sums) {
        spans.enter(index);
        threads.add(index, sums);
        stretch.add(sums);
        bytes += sums.allocBytes - sums.freeBytes;
    }

    /** Takes the sender's word for what lives now; a difference in bytes is an adjustment. */
    void said(long liveBytes, long liveBlocks) {
        long difference = liveBytes - bytes;
        spans.adjust(difference);
        quality.adjustedLiveBytes += difference;
        bytes = liveBytes;
        blocks = liveBlocks;
    }

    /** The most that lived in the stretch in hand, by the sender's word, is at least so much. */
    void peaked(long liveBytes) {
        stretch.peakLiveBytes = Math.max(stretch.peakLiveBytes, liveBytes);
    }

    /** Blocks released in a hole stay in the table; when they are far too many, it begins anew. */
    void forgetStaleBlocks() {
        long stale = table.blocks() - Math.max(0, blocks);
        if (stale > MAX_STALE_BLOCKS && stale > blocks) {
            rows.count(ReplayCount.FORGOTTEN_BLOCKS, table.blocks());
            table.clear();
        }
    }

    /** A stretch begins. */
    void beginStretch() {
        stretch.clear(bytes);
    }

    /** Adds the stretch in hand to the current spans, and begins another. */
    void settle() {
        spans.add(stretch);
        rows.count(ReplayCount.ALLOCATIONS, stretch.allocCalls + stretch.reallocCalls);
        rows.count(ReplayCount.ALLOCATOR_NS, stretch.allocatorNs);
        beginStretch();
    }

    /** Takes over what was live when the state was written; the table restores itself. */
    void restore(long liveBytes, long liveBlocks) {
        bytes = liveBytes;
        blocks = liveBlocks;
        beginStretch();
    }
}
