package dev.tidemark.replay;

import dev.tidemark.schemas.EventColumns;
import dev.tidemark.schemas.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Random but valid event streams: several threads, all operations, short and long lifetimes. */
public final class RandomEvents {
    private static final long[] ALIGNMENTS = {1, 8, 16, 32, 64, 4096, 1 << 20};

    private final Random random;
    private final List<Long> live = new ArrayList<>();
    private final List<TestEvent> events = new ArrayList<>();
    private long blocks;
    private long nowNs;

    private RandomEvents(long seed) {
        random = new Random(seed);
    }

    /** So many events of a seed. */
    public static List<TestEvent> of(long seed, int count) {
        RandomEvents made = new RandomEvents(seed);
        while (made.events.size() < count) {
            made.next();
        }
        return made.events;
    }

    private void next() {
        nowNs += random.nextInt(20) == 0 ? 0 : random.nextInt(5000);
        int thread = random.nextInt(10) < 7 ? 0 : random.nextInt(5);
        long duration = random.nextInt(500) == 0 ? random.nextInt(3_000_000) : random.nextInt(400);
        int dice = random.nextInt(1000);
        if (dice < 470) {
            allocate(thread, duration);
        } else if (dice < 880) {
            free(thread, duration);
        } else if (dice < 960) {
            reallocate(thread, duration);
        } else {
            mark(thread, dice, duration);
        }
    }

    private long size() {
        return random.nextInt(50) == 0 ? random.nextInt(1 << 20) : random.nextInt(300);
    }

    private void allocate(int thread, long duration) {
        int operation = 1 + random.nextInt(4);
        long alignment =
                operation == Operation.ALIGNED || random.nextInt(10) == 0
                        ? ALIGNMENTS[random.nextInt(ALIGNMENTS.length)]
                        : 0;
        boolean isMade = random.nextInt(100) > 0;
        long size = isMade ? size() : 1 + size();
        events.add(
                TestEvent.allocation(operation, thread, nowNs, size, alignment, isMade)
                        .took(duration));
        if (isMade) {
            live.add(blocks++);
        }
    }

    /** Mostly a block made just now, sometimes an old one. */
    private long takeLive() {
        int at =
                random.nextInt(4) > 0
                        ? live.size() - 1 - random.nextInt(Math.min(live.size(), 8))
                        : random.nextInt(live.size());
        return live.remove(at);
    }

    private void free(int thread, long duration) {
        int dice = random.nextInt(200);
        long released =
                dice == 0
                        ? EventColumns.UNKNOWN_BLOCK
                        : dice == 1 ? EventColumns.PREEXISTING_BLOCK : -1;
        if (dice > 1 && live.isEmpty()) {
            return;
        }
        TestEvent free =
                TestEvent.free(thread, nowNs, dice > 1 ? takeLive() : released).took(duration);
        events.add(
                dice == 2
                        ? free.as(Operation.MISSED_FREE).took(0)
                        : dice % 2 == 0 ? free.as(Operation.DELETE) : free);
    }

    private void reallocate(int thread, long duration) {
        int dice = random.nextInt(20);
        if (dice == 0 || live.isEmpty()) {
            events.add(
                    TestEvent.realloc(thread, nowNs, size(), true, EventColumns.NO_BLOCK)
                            .took(duration));
            live.add(blocks++);
        } else if (dice == 1) {
            long kept = live.get(live.size() - 1);
            events.add(TestEvent.realloc(thread, nowNs, 1 + size(), false, kept).took(duration));
        } else if (dice == 2) {
            events.add(TestEvent.realloc(thread, nowNs, 0, false, takeLive()).took(duration));
        } else if (dice == 3) {
            events.add(
                    TestEvent.realloc(thread, nowNs, size(), true, EventColumns.UNKNOWN_BLOCK)
                            .took(duration));
            live.add(blocks++);
        } else {
            events.add(TestEvent.realloc(thread, nowNs, size(), true, takeLive()).took(duration));
            live.add(blocks++);
        }
    }

    private void mark(int thread, int dice, long duration) {
        if (dice < 980) {
            events.add(TestEvent.mark(Operation.FRAME, thread, nowNs));
        } else if (dice < 990) {
            events.add(TestEvent.mark(Operation.TICK, thread, nowNs));
        } else if (dice < 993) {
            events.add(TestEvent.phase(thread, nowNs, "phase " + random.nextInt(4)));
        } else if (dice < 997) {
            events.add(TestEvent.value(thread, nowNs, "players", random.nextInt(100)));
        } else {
            events.add(TestEvent.mark(Operation.TRIM, thread, nowNs).took(duration));
        }
    }
}
