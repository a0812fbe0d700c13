package dev.tidemark.ingest.replayer;

import dev.tidemark.schemas.EventColumns;
import dev.tidemark.schemas.Operation;

/** Sums of calls as they go by. */
final class CallCounter {
    private long allocCalls;
    private long freeCalls;
    private long reallocCalls;
    private long failedCalls;
    private long allocBytes;
    private long freeBytes;

    /**
     * Counts a call that is replayed.
     *
     * @param endedBytes of the block that it ended, if it did
     */
    void add(EventColumns events, int i, long endedBytes) {
        int operation = events.operation(i);
        boolean hasEnded = RecordedCall.ended(events, i) >= 0;
        freeBytes += hasEnded ? endedBytes : 0;
        if (RecordedCall.makesBlock(events, i)) {
            allocCalls += hasEnded ? 0 : 1;
            reallocCalls += hasEnded ? 1 : 0;
            allocBytes += events.sizeBytes(i);
        } else if (hasEnded) {
            freeCalls++;
        } else if (Operation.asksForBlock(operation) && events.sizeBytes(i) > 0) {
            failedCalls++;
        }
    }

    CallTotals totals() {
        return new CallTotals(
                allocCalls, freeCalls, reallocCalls, failedCalls, allocBytes, freeBytes);
    }
}
