package dev.tidemark.replay;

import dev.tidemark.schemas.EventColumns;
import dev.tidemark.schemas.Operation;
import org.jspecify.annotations.Nullable;

/**
 * One event of a made-up session.
 *
 * @param released ordinal of the block released, or one of the constants of {@link EventColumns}
 */
public record TestEvent(
        int operation,
        int thread,
        long atNs,
        long durationNs,
        long size,
        long alignment,
        boolean makesBlock,
        long released,
        @Nullable String name,
        double value) {

    static TestEvent malloc(int thread, long atNs, long size) {
        return allocation(Operation.MALLOC, thread, atNs, size, 0, true);
    }

    static TestEvent allocation(
            int operation, int thread, long atNs, long size, long alignment, boolean makesBlock) {
        return new TestEvent(
                operation,
                thread,
                atNs,
                50,
                size,
                alignment,
                makesBlock,
                EventColumns.NO_BLOCK,
                null,
                0);
    }

    static TestEvent realloc(int thread, long atNs, long size, boolean makesBlock, long released) {
        return new TestEvent(
                Operation.REALLOC, thread, atNs, 50, size, 0, makesBlock, released, null, 0);
    }

    /** A trim that is said to have given so many bytes back. */
    static TestEvent trim(int thread, long atNs, long returnedBytes) {
        return new TestEvent(
                Operation.TRIM,
                thread,
                atNs,
                50,
                returnedBytes,
                0,
                false,
                EventColumns.NO_BLOCK,
                null,
                0);
    }

    static TestEvent free(int thread, long atNs, long released) {
        return new TestEvent(Operation.FREE, thread, atNs, 50, 0, 0, false, released, null, 0);
    }

    static TestEvent mark(int operation, int thread, long atNs) {
        return new TestEvent(
                operation, thread, atNs, 0, 0, 0, false, EventColumns.NO_BLOCK, null, 0);
    }

    static TestEvent phase(int thread, long atNs, String name) {
        return new TestEvent(
                Operation.PHASE, thread, atNs, 0, 0, 0, false, EventColumns.NO_BLOCK, name, 0);
    }

    static TestEvent value(int thread, long atNs, String name, double value) {
        return new TestEvent(
                Operation.VALUE, thread, atNs, 0, 0, 0, false, EventColumns.NO_BLOCK, name, value);
    }

    TestEvent took(long ns) {
        return new TestEvent(
                operation, thread, atNs, ns, size, alignment, makesBlock, released, name, value);
    }

    TestEvent as(int otherOperation) {
        return new TestEvent(
                otherOperation,
                thread,
                atNs,
                durationNs,
                size,
                alignment,
                makesBlock,
                released,
                name,
                value);
    }

    void addTo(EventColumns columns) {
        switch (operation) {
            case Operation.REALLOC ->
                    columns.addReallocation(thread, atNs, durationNs, size, makesBlock, released);
            case Operation.FREE, Operation.DELETE, Operation.MISSED_FREE ->
                    columns.addRelease(operation, thread, atNs, durationNs, released);
            case Operation.FRAME, Operation.TICK -> columns.addMark(operation, thread, atNs);
            case Operation.PHASE -> columns.addPhase(thread, atNs, String.valueOf(name));
            case Operation.VALUE -> columns.addValue(thread, atNs, String.valueOf(name), value);
            case Operation.TRIM -> columns.addTrim(thread, atNs, durationNs, size);
            default ->
                    columns.addAllocation(
                            operation, thread, atNs, durationNs, size, alignment, makesBlock);
        }
    }
}
