package dev.tidemark.ingest.replayer;

import dev.tidemark.schemas.EventColumns;
import dev.tidemark.schemas.Operation;

/** What the planner and the writer of records have to see alike in a recorded event. */
final class RecordedCall {
    private RecordedCall() {}

    /** Whether it is replayed: not a mark, and not the release of a block that nobody saw made. */
    static boolean isReplayed(EventColumns events, int i) {
        int operation = events.operation(i);
        if (operation == Operation.REALLOC) {
            boolean isReleaseOfUnknown = events.released(i) < EventColumns.NO_BLOCK;
            return !isReleaseOfUnknown || makesBlock(events, i) || events.sizeBytes(i) > 0;
        }
        return Operation.asksForBlock(operation)
                || operation == Operation.TRIM
                || (Operation.mayRelease(operation) && events.released(i) >= 0);
    }

    /** Whether it is a call that is left out. */
    static boolean isLeftOut(EventColumns events, int i) {
        return !isReplayed(events, i) && !Operation.isMark(events.operation(i));
    }

    static boolean makesBlock(EventColumns events, int i) {
        return events.made(i) != EventColumns.NO_BLOCK;
    }

    /** The block that the call ended, or a number below 0. */
    static long ended(EventColumns events, int i) {
        boolean isFailedResize =
                events.operation(i) == Operation.REALLOC
                        && !makesBlock(events, i)
                        && events.sizeBytes(i) > 0;
        return isFailedResize ? EventColumns.NO_BLOCK : events.released(i);
    }

    /** When the call began. */
    static long beginNs(EventColumns events, int i) {
        return Operation.asksForBlock(events.operation(i)) || events.operation(i) == Operation.TRIM
                ? events.timeNs(i) - events.durationNs(i)
                : events.timeNs(i);
    }

    /** When the call returned. */
    static long endNs(EventColumns events, int i) {
        return beginNs(events, i) + events.durationNs(i);
    }
}
