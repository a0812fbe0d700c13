package dev.tidemark.replay;

import dev.tidemark.schemas.avro.ThreadCounters;
import it.unimi.dsi.fastutil.ints.Int2ObjectLinkedOpenHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The newest sums of each thread, in a session that carries sums instead of calls. Sums are since
 * the session's start, so what a lost record would have said comes with the thread's next one. Past
 * {@link ThreadTable#MAX_THREADS} threads, new ones are left out.
 */
final class CounterTable {
    private static final int FIGURES = 13;
    private static final int ALLOCATOR_NS = 6;
    private static final int FIRST_WRITE_NS = 7;
    private static final int MAX_CALL_NS = 8;
    private static final int SWITCHES = 12;

    private final Int2ObjectLinkedOpenHashMap<long[]> newest = new Int2ObjectLinkedOpenHashMap<>();
    private boolean isTimed;
    private boolean isEachCallTimed;
    private boolean isFirstWriteTimed;
    private boolean isUsed;
    private boolean areSwitchesCounted;
    private long switches;

    /** Whether the session carries sums. */
    boolean isUsed() {
        return isUsed;
    }

    Measured measured() {
        return new Measured(isTimed, isEachCallTimed, isFirstWriteTimed, false);
    }

    /**
     * Involuntary switches of all threads since the session's start, {@link SpanMark#UNKNOWN} when
     * not counted.
     */
    long involuntarySwitches() {
        return areSwitchesCounted ? switches : SpanMark.UNKNOWN;
    }

    /** What a thread did since its sums came last; sums that fell count as no change. */
    CallTotals since(ThreadCounters sums, long liveBytes) {
        isUsed = true;
        isTimed |= sums.getAllocatorNs() != null;
        isEachCallTimed |= sums.getCallsOver10us() != null;
        isFirstWriteTimed |= sums.getFirstWriteNs() != null;
        areSwitchesCounted |= sums.getInvoluntarySwitches() != null;
        long[] now = {
            sums.getAllocCalls(),
            sums.getFreeCalls(),
            sums.getReallocCalls(),
            sums.getFailedCalls(),
            sums.getAllocBytes(),
            sums.getFreeBytes(),
            orZero(sums.getAllocatorNs()),
            orZero(sums.getFirstWriteNs()),
            orZero(sums.getMaxCallNs()),
            orZero(sums.getCallsOver10us()),
            orZero(sums.getCallsOver100us()),
            orZero(sums.getCallsOver1ms()),
            orZero(sums.getInvoluntarySwitches())
        };
        CallTotals change = new CallTotals(liveBytes);
        long[] before = newest.get(sums.getThread());
        if (before == null && newest.size() >= ThreadTable.MAX_THREADS) {
            return change;
        }
        newest.put(sums.getThread(), now);
        long[] steps = steps(before, now);
        change.allocCalls = steps[0];
        change.freeCalls = steps[1];
        change.reallocCalls = steps[2];
        change.failedCalls = steps[3];
        change.allocBytes = steps[4];
        change.freeBytes = steps[5];
        change.allocatorNs = steps[ALLOCATOR_NS];
        change.firstWriteNs = steps[FIRST_WRITE_NS];
        // The longest call so far is that of this stretch only if it is a new one.
        change.maxCallNs = steps[MAX_CALL_NS] > 0 ? now[MAX_CALL_NS] : -1;
        change.callsOver10us = steps[9];
        change.callsOver100us = steps[10];
        change.callsOver1ms = steps[11];
        switches += steps[SWITCHES];
        return change;
    }

    private static long[] steps(long @Nullable [] before, long[] now) {
        long[] steps = new long[FIGURES];
        for (int i = 0; i < FIGURES; i++) {
            steps[i] = Math.max(0, now[i] - (before == null ? 0 : before[i]));
        }
        return steps;
    }

    private static long orZero(@Nullable Long value) {
        return value == null ? 0 : value;
    }

    void write(StateWriter out) {
        out.writeBoolean(isUsed).writeBoolean(isTimed);
        out.writeBoolean(isEachCallTimed).writeBoolean(isFirstWriteTimed);
        out.writeBoolean(areSwitchesCounted).writeLong(switches);
        out.writeLong(newest.size());
        newest.forEach(
                (thread, sums) -> {
                    out.writeLong(thread);
                    for (long sum : sums) {
                        out.writeLong(sum);
                    }
                });
    }

    void read(StateReader in) {
        isUsed = in.readBoolean();
        isTimed = in.readBoolean();
        isEachCallTimed = in.readBoolean();
        isFirstWriteTimed = in.readBoolean();
        areSwitchesCounted = in.readBoolean();
        switches = in.readLong();
        for (long left = in.readLong(); left > 0; left--) {
            int thread = in.readInt();
            long[] sums = new long[FIGURES];
            for (int i = 0; i < FIGURES; i++) {
                sums[i] = in.readLong();
            }
            newest.put(thread, sums);
        }
    }
}
