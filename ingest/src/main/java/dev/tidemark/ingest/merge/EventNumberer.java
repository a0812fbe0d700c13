package dev.tidemark.ingest.merge;

import dev.tidemark.ingest.ring.RecordDescriptor;
import dev.tidemark.ingest.ring.RingFile;
import dev.tidemark.ingest.ring.RingFormatException;
import dev.tidemark.schemas.EventColumns;
import dev.tidemark.schemas.Operation;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Turns records, in order, into events: addresses become ordinals of blocks, stamps session time.
 *
 * <p>The old address of a realloc leaves the map at the call's begin (unless it failed), since from
 * then on another thread may be given it; it is told with the realloc itself, at its return.
 */
final class EventNumberer {
    /**
     * Stamps of two cores differ a little: an allocation of a live address whose release follows
     * within this belongs behind the release, and a release of an unknown address that is handed
     * out within this belongs behind that.
     */
    static final long REORDER_WINDOW_NS = 1_000;

    private static final long MAX_BLOCK_BYTES = 1L << 56;

    private final RingFile file;
    private final StampClock clock;
    private final EventOutput output;
    private final boolean isContinuation;
    private final AddressMap live = new AddressMap();

    private long nextBlock;
    private long lastKey = Long.MIN_VALUE;
    private long lastNs;
    private long latestKey = Long.MAX_VALUE;
    private long timeInversions;
    private long missedFrees;
    private long unknownFrees;
    private long preexistingFrees;
    private long unreadableRecords;

    EventNumberer(RingFile file, StampClock clock, EventOutput output, boolean isContinuation) {
        this.file = file;
        this.clock = clock;
        this.output = output;
        this.isContinuation = isContinuation;
    }

    MergeCounts counts() {
        return new MergeCounts(
                timeInversions, missedFrees, unknownFrees, preexistingFrees, unreadableRecords);
    }

    long timeInversions() {
        return timeInversions;
    }

    /** The newest key handed on; no later one was converted to time. */
    long lastKey() {
        return lastKey;
    }

    /** No key can be beyond this. */
    void latestKey(long key) {
        latestKey = key;
    }

    /**
     * Takes the first record of a queue, which stays there.
     *
     * @param queues all queues
     * @return whether that is all; else the record was rewritten and wants its turn again
     */
    boolean accept(RingQueue queue, List<RingQueue> queues) throws RingFormatException {
        switch (queue.operation()) {
            case RecordDescriptor.MALLOC,
                    RecordDescriptor.CALLOC,
                    RecordDescriptor.ALIGNED,
                    RecordDescriptor.NEW ->
                    allocate(queue, queues);
            case RecordDescriptor.FREE, RecordDescriptor.DELETE -> {
                return release(queue, queues);
            }
            case RecordDescriptor.REALLOC_FROM -> {
                return beginReallocation(queue, queues);
            }
            case RecordDescriptor.REALLOC -> reallocate(queue, queues);
            case RingQueue.RESOLVED_FROM -> holdReleased(queue, 0, queue.address(), queue.size64());
            case RingQueue.DONE -> {}
            case RecordDescriptor.DROPPED, RingQueue.DROPPED_REST -> {
                return drop(queue);
            }
            default -> acceptOther(queue);
        }
        return true;
    }

    private void acceptOther(RingQueue queue) throws RingFormatException {
        switch (queue.operation()) {
            case RecordDescriptor.FRAME ->
                    output.mark(
                            Operation.FRAME, queue.thread, timeOf(queue), (int) queue.address());
            case RecordDescriptor.TICK ->
                    output.mark(Operation.TICK, queue.thread, timeOf(queue), (int) queue.address());
            case RecordDescriptor.PHASE ->
                    output.phase(queue.thread, timeOf(queue), file.name(queue.address()));
            case RecordDescriptor.VALUE ->
                    output.value(
                            queue.thread,
                            timeOf(queue),
                            file.name(queue.address()),
                            Double.longBitsToDouble(queue.size64()));
            case RecordDescriptor.TRIM ->
                    output.trim(queue.thread, timeOf(queue), durationOf(queue), queue.size64());
            case RecordDescriptor.THREAD -> {
                queue.thread = serial(queue.address());
                output.threadSeen(queue.thread, (int) queue.size64());
            }
            case RecordDescriptor.NAME ->
                    output.threadNamed(queue.thread, name(queue.address(), queue.size64()));
            case RecordDescriptor.THREAD_END -> output.threadEnded(serial(queue.address()));
            default -> unreadableRecords++;
        }
    }

    private void allocate(RingQueue queue, List<RingQueue> queues) throws RingFormatException {
        long address = queue.address();
        long sizeBytes = queue.size64();
        boolean madeBlock = address != 0;
        if (madeBlock && (sizeBytes < 0 || sizeBytes > MAX_BLOCK_BYTES)) {
            unreadableRecords++;
            return;
        }
        long timeNs = timeOf(queue);
        if (madeBlock) {
            own(address, sizeBytes, queue, timeNs, queues);
        }
        long word = queue.word();
        output.allocation(
                RecordDescriptor.operation(word),
                queue.thread,
                timeNs,
                clock.durationNanos(RecordDescriptor.duration(word)),
                sizeBytes < 0 ? Long.MAX_VALUE : sizeBytes,
                RecordDescriptor.alignmentBytes(word),
                madeBlock);
    }

    /**
     * Enters a block that is about to be told; what held its address before is told as released.
     */
    private void own(
            long address, long sizeBytes, RingQueue by, long timeNs, List<RingQueue> queues) {
        if (!live.put(address, nextBlock++, sizeBytes)) {
            return;
        }
        long ordinal = live.foundOrdinal();
        long bytes = live.foundSizeBytes();
        QueuedRecord found =
                QueuedRecord.find(
                        queues, by, QueuedRecord.Kind.RELEASE, address, by.key + window());
        if (found == null) {
            missedFrees++;
            output.release(Operation.MISSED_FREE, by.thread, timeNs, 0, ordinal, bytes);
            return;
        }
        timeInversions++;
        RingQueue from = found.queue();
        int i = found.index();
        long word = from.wordAt(i);
        int operation = RecordDescriptor.operation(word);
        if (operation == RecordDescriptor.REALLOC_FROM) {
            from.rewrite(i, RingQueue.RESOLVED_FROM, 0, ordinal, bytes);
            return;
        }
        output.release(
                operation == RecordDescriptor.FREE ? Operation.FREE : Operation.DELETE,
                found.thread(),
                timeNs,
                clock.durationNanos(RecordDescriptor.duration(word)),
                ordinal,
                bytes);
        from.rewrite(i, RingQueue.DONE, 0, 0, 0);
    }

    private boolean release(RingQueue queue, List<RingQueue> queues) throws RingFormatException {
        long released;
        long bytes = 0;
        if (live.remove(queue.address())) {
            released = live.foundOrdinal();
            bytes = live.foundSizeBytes();
        } else if (isDelayed(queue, queues)) {
            return false;
        } else {
            released = unknown();
        }
        output.release(
                queue.operation() == RecordDescriptor.FREE ? Operation.FREE : Operation.DELETE,
                queue.thread,
                timeOf(queue),
                durationOf(queue),
                released,
                bytes);
        return true;
    }

    /** Puts a release of an unknown address behind the call that is about to be given it. */
    private boolean isDelayed(RingQueue queue, List<RingQueue> queues) {
        QueuedRecord making =
                QueuedRecord.find(
                        queues,
                        queue,
                        QueuedRecord.Kind.MAKING,
                        queue.address(),
                        queue.key + window());
        if (making == null || making.key() < queue.key) {
            return false;
        }
        timeInversions++;
        queue.delayTo(making.key() + 1);
        return true;
    }

    private long window() {
        return clock.stampsIn(REORDER_WINDOW_NS);
    }

    private long unknown() {
        if (isContinuation) {
            preexistingFrees++;
            return EventColumns.PREEXISTING_BLOCK;
        }
        unknownFrees++;
        return EventColumns.UNKNOWN_BLOCK;
    }

    private boolean beginReallocation(RingQueue queue, List<RingQueue> queues) {
        long address = queue.address();
        if (address == 0) {
            holdReleased(queue, 0, EventColumns.NO_BLOCK, 0);
        } else if (queue.isFailedRealloc(1)) {
            holdReleased(queue, address, EventColumns.NO_BLOCK, 0);
        } else if (live.remove(address)) {
            holdReleased(queue, 0, live.foundOrdinal(), live.foundSizeBytes());
        } else if (isDelayed(queue, queues)) {
            return false;
        } else {
            holdReleased(queue, 0, unknown(), 0);
        }
        return true;
    }

    private static void holdReleased(RingQueue queue, long address, long released, long bytes) {
        queue.isInRealloc = true;
        queue.reallocAddress = address;
        queue.reallocReleased = released;
        queue.reallocReleasedBytes = bytes;
    }

    private void reallocate(RingQueue queue, List<RingQueue> queues) throws RingFormatException {
        long address = queue.address();
        long sizeBytes = queue.size64();
        boolean madeBlock = address != 0;
        if (!queue.isInRealloc || (madeBlock && (sizeBytes < 0 || sizeBytes > MAX_BLOCK_BYTES))) {
            unreadableRecords++;
            return;
        }
        queue.isInRealloc = false;
        long timeNs = timeOf(queue);
        long released = queue.reallocReleased;
        if (queue.reallocAddress != 0) {
            // It failed: the old block lives on and is only named.
            released = live.find(queue.reallocAddress) ? live.foundOrdinal() : unknown();
        }
        if (madeBlock) {
            own(address, sizeBytes, queue, timeNs, queues);
        }
        output.reallocation(
                queue.thread,
                timeNs,
                durationOf(queue),
                sizeBytes < 0 ? Long.MAX_VALUE : sizeBytes,
                madeBlock,
                released,
                queue.reallocReleasedBytes);
    }

    private boolean drop(RingQueue queue) {
        long events = queue.address();
        if (events <= 0) {
            unreadableRecords++;
            return true;
        }
        long duration = RecordDescriptor.duration(queue.word());
        if (queue.operation() == RingQueue.DROPPED_REST || events == 1 || duration == 0) {
            output.dropped(events);
            return true;
        }
        // It has a begin and an end, and the frames at both are touched.
        output.dropped(1);
        queue.rewrite(0, RingQueue.DROPPED_REST, duration, events - 1, 0);
        return false;
    }

    private long timeOf(RingQueue queue) throws RingFormatException {
        if (queue.key > latestKey) {
            throw new RingFormatException(
                    "%s: a record of ring %d has the stamp %d, which is in the future: must be %d at most"
                            .formatted(file.path(), queue.ring.number(), queue.key, latestKey));
        }
        if (queue.key < lastKey) {
            timeInversions++;
            return lastNs;
        }
        lastKey = queue.key;
        lastNs = Math.max(lastNs, clock.nanosOf(lastKey));
        return lastNs;
    }

    private long durationOf(RingQueue queue) {
        return clock.durationNanos(RecordDescriptor.duration(queue.word()));
    }

    private int serial(long serial) throws RingFormatException {
        if (serial < 0 || serial >= Integer.MAX_VALUE) {
            throw new RingFormatException(
                    "%s: a thread record has the serial %d, must be 0 to %d"
                            .formatted(file.path(), serial, Integer.MAX_VALUE - 1));
        }
        return (int) serial;
    }

    private static String name(long first, long second) {
        byte[] bytes =
                ByteBuffer.allocate(2 * Long.BYTES)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putLong(first)
                        .putLong(second)
                        .array();
        int length = 0;
        while (length < bytes.length && bytes[length] != 0) {
            length++;
        }
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }
}
