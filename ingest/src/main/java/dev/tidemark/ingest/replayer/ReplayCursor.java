package dev.tidemark.ingest.replayer;

import dev.tidemark.schemas.EventColumns;
import dev.tidemark.schemas.Operation;
import java.util.Arrays;

/**
 * Finds a recorded event's place in a result, as the recording goes by: the plan's order within
 * each thread is that of the recording.
 */
final class ReplayCursor {
    private final ReplayResult result;
    private final int[] nextCall;
    private final int[] stretch;
    private final int[] span;
    private final long[] switches;
    private long allSwitches;
    private int marks;

    ReplayCursor(ReplayPlan plan, ReplayResult result) throws ReplayException {
        this.result = result;
        int[] numbers = plan.threadNumbers();
        int threads = Arrays.stream(numbers).max().orElse(0) + 1;
        nextCall = new int[threads];
        stretch = new int[threads];
        span = new int[threads];
        switches = new long[threads];
        Arrays.fill(span, -1);
        plan.place(numbers, nextCall, stretch);
        for (int number : numbers) {
            stretch[number]--;
        }
    }

    /**
     * Takes a call or mark.
     *
     * @return whether its thread's next stretch begins with it
     */
    boolean enter(EventColumns events, int i) throws ReplayException {
        int thread = events.thread(i);
        boolean isMark = Operation.isSpanMark(events.operation(i));
        boolean isNew = isMark ? span[thread] < 0 : span[thread] != marks;
        if (isNew) {
            span[thread] = marks;
            stretch[thread]++;
            if (result.span(stretch[thread]) != marks) {
                throw new ReplayException(
                        ReplayException.Fault.INTERNAL,
                        "replay of thread %d: span %d where the recording has %d"
                                .formatted(thread, result.span(stretch[thread]), marks));
            }
            long now = result.involuntarySwitches(stretch[thread]);
            allSwitches += Math.max(0, now - switches[thread]);
            switches[thread] = Math.max(now, switches[thread]);
        }
        marks += isMark ? 1 : 0;
        return isNew;
    }

    /** The result's index of a thread's next call. */
    int nextCall(int thread) {
        return nextCall[thread]++;
    }

    /** The allocator's time in a thread's open stretch. */
    long allocatorNs(int thread) {
        return result.allocatorNs(stretch[thread]);
    }

    /** Switches of a thread up to the end of its open stretch. */
    long switches(int thread) {
        return switches[thread];
    }

    /** Switches of all threads up to the ends of their open stretches. */
    long switches() {
        return allSwitches;
    }
}
