package dev.tidemark.ingest.merge;

import dev.tidemark.ingest.ring.RecordDescriptor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A record that still waits in a queue.
 *
 * @param queue where
 * @param index which record, 0 being the first
 * @param thread whose
 * @param key its key
 */
record QueuedRecord(RingQueue queue, int index, int thread, long key) {

    /** What is looked for. */
    enum Kind {
        /** A release of the address, unless it is that of a realloc that failed. */
        RELEASE,
        /** A call that was given the address. */
        MAKING
    }

    /**
     * The record about an address with the lowest key up to {@code toKey}, or null.
     *
     * @param except a queue not to look in: a thread's own order is never in doubt
     */
    static @Nullable QueuedRecord find(
            List<RingQueue> queues, RingQueue except, Kind kind, long address, long toKey) {
        QueuedRecord found = null;
        for (RingQueue queue : queues) {
            if (queue.equals(except)) {
                continue;
            }
            QueuedRecord here = findIn(queue, kind, address, toKey);
            if (here != null && (found == null || here.key < found.key)) {
                found = here;
            }
        }
        return found;
    }

    private static @Nullable QueuedRecord findIn(
            RingQueue queue, Kind kind, long address, long toKey) {
        int thread = queue.thread;
        for (int i = 0; i < queue.size(); i++) {
            long key = RecordDescriptor.key(queue.beginAt(i), queue.wordAt(i));
            if (key > toKey) {
                return null;
            }
            if (queue.operationAt(i) == RecordDescriptor.THREAD) {
                thread = (int) queue.addressAt(i);
            } else if (queue.addressAt(i) == address && isOf(kind, queue, i)) {
                return new QueuedRecord(queue, i, thread, key);
            }
        }
        return null;
    }

    private static boolean isOf(Kind kind, RingQueue queue, int i) {
        int operation = queue.operationAt(i);
        if (kind == Kind.MAKING) {
            return RecordDescriptor.isMaking(operation);
        }
        boolean isFailedRealloc =
                operation == RecordDescriptor.REALLOC_FROM && queue.isFailedRealloc(i + 1);
        return RecordDescriptor.isRelease(operation) && !isFailedRealloc;
    }
}
