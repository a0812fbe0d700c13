package dev.tidemark.ingest.merge;

import dev.tidemark.ingest.ring.Ring;
import dev.tidemark.ingest.ring.RingFile;
import dev.tidemark.ingest.ring.RingFormatException;
import dev.tidemark.ingest.ring.Sync;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Merges the rings of one file by the order of their keys. One thread calls {@link #poll} again and
 * again, and {@link #drain} when the process has ended.
 *
 * <p>What it holds is bounded: at {@code maxQueued} records it leaves the rest in the rings.
 */
public final class RingMerger {
    private static final long MARGIN_NS = 20_000;
    private static final long QUIET_NS = 10_000_000;
    private static final long WAIT_FOR_SYNC_NS = 300_000_000;
    private static final int BUSY_TRIES = 200;

    private final RingFile file;
    private final StampClock clock;
    private final EventOutput output;
    private final EventNumberer numberer;
    private final int maxQueued;
    private final List<RingQueue> queues = new ArrayList<>();
    private RingQueue[] heap = new RingQueue[16];
    private int heapSize;

    private int queued;
    private long newestStamp;
    private long newestSinceNs;
    private long watermark = Long.MIN_VALUE;
    private double fillRatio;

    /**
     * A merger that begins where the rings' tails are.
     *
     * @param isContinuation whether an earlier agent has read the file: unknown releases then are
     *     of blocks that it knew
     * @param maxQueued most records held outside of the rings
     */
    public RingMerger(
            RingFile file,
            StampClock clock,
            EventOutput output,
            boolean isContinuation,
            int maxQueued) {
        this.file = file;
        this.clock = clock;
        this.output = output;
        this.maxQueued = maxQueued;
        numberer = new EventNumberer(file, clock, output, isContinuation);
        newestStamp = file.startStamp();
    }

    /** What could not be taken as it came. */
    public MergeCounts counts() {
        return numberer.counts();
    }

    /** Times clamped or moved so far. */
    public long timeInversions() {
        return numberer.timeInversions();
    }

    /** How full the fullest ring was when last looked at, 0 to 1. */
    public double fillRatio() {
        return fillRatio;
    }

    /** Session time up to which everything has been handed on; 0 before the start. */
    public long watermarkNs() {
        return watermark == Long.MIN_VALUE ? 0 : clock.nanosOf(watermark);
    }

    /**
     * Hands on what is in order by now.
     *
     * @param nowNs {@link System#nanoTime()}
     * @return how many records were read
     */
    public int poll(long nowNs) throws IOException {
        syncClock();
        findRings();
        passForClock(nowNs);
        int read = passForRecords(nowNs);
        if (clock.isSynced() || clock.nanosAt(nowNs) > WAIT_FOR_SYNC_NS || queued > maxQueued / 2) {
            merge(watermark - clock.stampsIn(EventNumberer.REORDER_WINDOW_NS));
        }
        return read;
    }

    /**
     * Hands on what can be read now, as this agent will not come again. What is in flight is left
     * to the next one.
     */
    public void stop(long nowNs) throws IOException {
        poll(nowNs);
        merge(Long.MAX_VALUE);
    }

    /** Hands on everything that is left, in order. The process must have ended. */
    public void drain() throws IOException {
        syncClock();
        numberer.latestKey(clock.latestStamp(System.nanoTime()));
        findRings();
        boolean isMore = true;
        while (isMore) {
            isMore = false;
            long limit = Long.MAX_VALUE;
            fillRatio = 0;
            for (RingQueue queue : queues) {
                take(queue, queue.ring.head());
                if (isUnread(queue)) {
                    isMore = true;
                    limit = Math.min(limit, queue.ring.keyAt(queue.nextIndex()));
                }
            }
            int before = queued;
            merge(limit);
            if (isMore && queued == before && queued >= maxQueued) {
                // Only a file that breaks the order of keys comes here.
                merge(Long.MAX_VALUE);
            }
        }
        for (RingQueue queue : queues) {
            long untold = queue.ring.droppedUntold();
            if (untold > 0) {
                output.dropped(untold);
            }
        }
    }

    /**
     * Frees the rings of threads that died without clean-up, whose calls would stay in flight for
     * ever. To be called about once a second: a thread must have been missing at two calls, so that
     * it has no clean-up left to do.
     *
     * @param isTask whether the process has a thread of this id
     */
    public void expireDeadThreads(IntPredicate isTask) {
        for (RingQueue queue : queues) {
            long owner = queue.ring.owner();
            if (owner == 0 || isTask.test(queue.ring.tid())) {
                queue.missingOwner = 0;
            } else if (queue.missingOwner == owner) {
                queue.ring.takeFrom(owner);
                queue.missingOwner = 0;
            } else {
                queue.missingOwner = owner;
            }
        }
    }

    private void syncClock() {
        Sync sync = file.sync();
        if (sync != null) {
            clock.update(sync, numberer.lastKey());
        }
    }

    private void findRings() throws IOException {
        int used = file.ringsUsed();
        while (queues.size() < used) {
            Ring ring = file.ring(queues.size());
            RingQueue queue = new RingQueue(ring);
            long owner = ring.owner();
            queue.thread = owner > 0 && owner < Integer.MAX_VALUE ? (int) owner - 1 : 0;
            queues.add(queue);
        }
    }

    /** First pass: the newest stamp anywhere is the clock. */
    private void passForClock(long nowNs) throws RingFormatException {
        long newest = newestStamp;
        for (RingQueue queue : queues) {
            Ring ring = queue.ring;
            long head = ring.head();
            if (ring.readable(queue.nextIndex(), head) > 0) {
                newest = Math.max(newest, ring.keyAt(head - 1));
            }
            long inflight = ring.inflight();
            if (inflight != Ring.BUSY) {
                newest = Math.max(newest, inflight);
            }
        }
        long latest = clock.latestStamp(nowNs);
        numberer.latestKey(latest);
        if (newest > latest) {
            throw new RingFormatException(
                    "%s: a call in flight or a record has the stamp %d, which is in the future: must be %d at most"
                            .formatted(file.path(), newest, latest));
        }
        if (newest > newestStamp) {
            newestStamp = newest;
            newestSinceNs = nowNs;
        }
    }

    /** Second pass: calls in flight and what is left unread bound the watermark. */
    private int passForRecords(long nowNs) throws RingFormatException {
        // Long after the newest stamp every store of its time is visible.
        boolean isQuiet = nowNs - newestSinceNs > QUIET_NS;
        long reorder = clock.stampsIn(EventNumberer.REORDER_WINDOW_NS);
        long bound = isQuiet ? newestStamp + reorder + 1 : newestStamp - clock.stampsIn(MARGIN_NS);
        int read = 0;
        fillRatio = 0;
        for (RingQueue queue : queues) {
            long inflight = inflightOf(queue.ring);
            long head = queue.ring.head();
            read += take(queue, head);
            if (inflight == Ring.BUSY) {
                bound = Math.min(bound, watermark);
            } else if (inflight != 0) {
                bound = Math.min(bound, inflight);
            }
            if (head != queue.nextIndex()) {
                bound = Math.min(bound, queue.ring.keyAt(queue.nextIndex()));
            }
        }
        watermark = Math.max(watermark, bound);
        return read;
    }

    /** A stamp is taken in some tens of ns, unless its thread is descheduled: so look again. */
    private static long inflightOf(Ring ring) {
        long inflight = ring.inflight();
        for (int i = 0; inflight == Ring.BUSY && i < BUSY_TRIES; i++) {
            Thread.onSpinWait();
            inflight = ring.inflight();
        }
        return inflight;
    }

    private int take(RingQueue queue, long head) throws RingFormatException {
        int readable = queue.ring.readable(queue.nextIndex(), head);
        fillRatio = Math.max(fillRatio, (double) readable / queue.ring.capacity());
        int taken = queue.take(head, maxQueued - queued);
        queued += taken;
        return taken;
    }

    private static boolean isUnread(RingQueue queue) {
        return queue.ring.head() != queue.nextIndex();
    }

    /** Hands on every queued record with a key below the limit. */
    private void merge(long limit) throws RingFormatException {
        heapSize = 0;
        for (RingQueue queue : queues) {
            if (!queue.isEmpty()) {
                queue.load();
                if (queue.key < limit) {
                    push(queue);
                }
            }
        }
        while (heapSize > 0) {
            RingQueue first = heap[0];
            RingQueue second = second();
            do {
                if (numberer.accept(first, queues)) {
                    first.advance();
                    queued--;
                }
                if (!first.isEmpty()) {
                    first.load();
                }
            } while (!first.isEmpty()
                    && first.key < limit
                    && (second == null || isBefore(first, second)));
            if (first.isEmpty() || first.key >= limit) {
                first.shrink();
                heap[0] = heap[--heapSize];
            }
            siftDown();
        }
    }

    private void push(RingQueue queue) {
        if (heapSize == heap.length) {
            heap = Arrays.copyOf(heap, heapSize * 2);
        }
        int at = heapSize++;
        while (at > 0 && isBefore(queue, heap[(at - 1) / 2])) {
            heap[at] = heap[(at - 1) / 2];
            at = (at - 1) / 2;
        }
        heap[at] = queue;
    }

    private @Nullable RingQueue second() {
        if (heapSize < 2) {
            return null;
        }
        return heapSize == 2 || isBefore(heap[1], heap[2]) ? heap[1] : heap[2];
    }

    private void siftDown() {
        if (heapSize == 0) {
            return;
        }
        RingQueue moved = heap[0];
        int at = 0;
        for (int child = 1; child < heapSize; child = 2 * at + 1) {
            if (child + 1 < heapSize && isBefore(heap[child + 1], heap[child])) {
                child++;
            }
            if (!isBefore(heap[child], moved)) {
                break;
            }
            heap[at] = heap[child];
            at = child;
        }
        heap[at] = moved;
    }

    /** Lower key first; at a tie a release first, then the ring of the lower number. */
    private static boolean isBefore(RingQueue a, RingQueue b) {
        if (a.key != b.key) {
            return a.key < b.key;
        }
        return a.rank != b.rank ? a.rank < b.rank : a.ring.number() < b.ring.number();
    }
}
