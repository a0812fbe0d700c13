package dev.tidemark.replay;

import dev.tidemark.schemas.EventColumns;
import dev.tidemark.schemas.Operation;
import org.jspecify.annotations.Nullable;

/** Gathers rows of {@code events} into batches, each of one block and one UTC day. */
final class EventRecorder {
    private final RowSink rows;
    private @Nullable EventBatch batch;
    private long midnightNs;

    EventRecorder(RowSink rows) {
        this.rows = rows;
    }

    /**
     * Adds a call; where it lies follows in {@link #spans}.
     *
     * @param atNs its time, clamped
     * @param releasedBytes size of the block that it released, {@link EventBatch#NULL} when unknown
     */
    void record(EventColumns columns, int i, long atNs, long releasedBytes, SessionHeader header) {
        EventBatch current = batch;
        if (current == null || atNs >= midnightNs) {
            send();
            current = rows.newBatch(header.day(atNs), columns.size());
            batch = current;
            midnightNs = header.nextMidnightNs(atNs);
        }
        int operation = columns.operation(i);
        boolean isAsking = Operation.asksForBlock(operation);
        boolean isTimed = header.isTimed() && operation != Operation.MISSED_FREE;
        long alignment = columns.alignmentBytes(i);
        long made = columns.made(i);
        current.add(
                        atNs,
                        columns.thread(i),
                        operation,
                        isTimed ? columns.durationNs(i) : EventBatch.NULL)
                .block(
                        isAsking ? columns.sizeBytes(i) : releasedBytes,
                        alignment == 0 ? EventBatch.NULL : alignment,
                        made == EventColumns.NO_BLOCK ? EventBatch.NULL : made,
                        isReleased(columns, i) ? columns.released(i) : EventBatch.NULL);
    }

    /** Says where the call added last lies. */
    void spans(long frame, long tick, @Nullable String phase) {
        if (batch != null) {
            batch.spans(frame, tick, phase);
        }
    }

    /** Whether the call released a block whose ordinal is known. */
    private static boolean isReleased(EventColumns columns, int i) {
        boolean isFailed =
                columns.operation(i) == Operation.REALLOC
                        && columns.made(i) == EventColumns.NO_BLOCK
                        && columns.sizeBytes(i) != 0;
        return columns.released(i) >= 0 && !isFailed;
    }

    /** Hands the batch on. */
    void send() {
        if (batch != null) {
            rows.events(batch);
            batch = null;
        }
    }
}
