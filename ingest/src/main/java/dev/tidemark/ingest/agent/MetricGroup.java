package dev.tidemark.ingest.agent;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/** Figures of all sessions with the same labels. Written by the agent's thread, read by any. */
final class MetricGroup {
    /** Upper edges of the histogram of ticks' allocator time, seconds. */
    static final double[] TICK_EDGES_SECONDS = {
        0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25
    };

    private static final double NANOS = 1e9;

    /**
     * Labels.
     *
     * @param build empty when not said
     */
    record Labels(String title, String role, String build, String arm) {}

    /** What of a session is in its group's counters by now. */
    static final class Share {
        private final MetricGroup group;
        private long events;
        private long allocations;
        private long allocatorNs;
        private long dropped;
        private long frames;
        private long ticks;

        Share(MetricGroup group) {
            this.group = group;
        }

        MetricGroup group() {
            return group;
        }

        /** Brings the group's counters up to the session's. */
        void update(BlockBuilder builder) {
            events += add(group.events, builder.events() - events);
            allocations += add(group.allocations, builder.allocations() - allocations);
            allocatorNs += add(group.allocatorNs, builder.allocatorNs() - allocatorNs);
            dropped += add(group.dropped, builder.droppedEvents() - dropped);
            frames += add(group.frames, builder.frames() - frames);
            ticks += add(group.ticks, builder.ticks() - ticks);
        }

        private static long add(AtomicLong counter, long more) {
            counter.addAndGet(more);
            return more;
        }
    }

    final AtomicLong events = new AtomicLong();
    final AtomicLong allocations = new AtomicLong();
    final AtomicLong allocatorNs = new AtomicLong();
    final AtomicLong dropped = new AtomicLong();
    final AtomicLong frames = new AtomicLong();
    final AtomicLong ticks = new AtomicLong();
    final AtomicLong liveBytes = new AtomicLong();
    final AtomicLong residentBytes = new AtomicLong();

    private final AtomicLongArray tickCounts = new AtomicLongArray(TICK_EDGES_SECONDS.length + 1);
    private final AtomicLong tickNs = new AtomicLong();

    /** Adds what a tick cost. */
    void addTick(long nanos) {
        int edge = 0;
        while (edge < TICK_EDGES_SECONDS.length && nanos / NANOS > TICK_EDGES_SECONDS[edge]) {
            edge++;
        }
        tickCounts.incrementAndGet(edge);
        tickNs.addAndGet(nanos);
    }

    /** Ticks of a cost up to an edge; the last edge has all. */
    long ticksUpTo(int edge) {
        long count = 0;
        for (int i = 0; i <= edge; i++) {
            count += tickCounts.get(i);
        }
        return count;
    }

    /** Allocator time in all ticks, seconds. */
    double tickSeconds() {
        return tickNs.get() / NANOS;
    }
}
