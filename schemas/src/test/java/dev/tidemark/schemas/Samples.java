package dev.tidemark.schemas;

import dev.tidemark.schemas.avro.Clock;
import dev.tidemark.schemas.avro.Detail;
import dev.tidemark.schemas.avro.Host;
import dev.tidemark.schemas.avro.Kind;
import dev.tidemark.schemas.avro.Role;
import dev.tidemark.schemas.avro.SessionStart;
import dev.tidemark.schemas.avro.SizeBasis;
import dev.tidemark.schemas.avro.ThreadInfo;
import java.util.Map;
import java.util.Random;

/** Made-up records. */
final class Samples {
    static final String SESSION = "01900000-0000-7000-8000-000000000001";

    private Samples() {}

    static ThreadInfo thread(int number) {
        return new ThreadInfo(number, "worker-" + number);
    }

    static SessionStart start() {
        return SessionStart.newBuilder()
                .setTitle("minetest")
                .setRole(Role.SERVER)
                .setPolicy(Map.of("MALLOC_ARENA_MAX", "2"))
                .setLabels(Map.of())
                .setKind(Kind.LIVE)
                .setClock(Clock.LIVE)
                .setDetail(Detail.EVENTS)
                .setSizeBasis(SizeBasis.REQUESTED)
                .setStartedAtUs(1_700_000_000_000_000L)
                .setHost(Host.newBuilder().setCores(2).build())
                .build();
    }

    /**
     * The block of the class comment's picture: two threads, every kind of event, all entries
     * distinct.
     */
    static EventColumns everyKind() {
        EventColumns events = new EventColumns();
        events.begin(100, 40, 5_000, 1_234, 7, 3);
        events.timeInversions(2);
        events.addAllocation(Operation.MALLOC, 0, 5_000, 61, 101, 0, true); // block 40
        events.addAllocation(Operation.CALLOC, 0, 5_010, 62, 103, 0, true); // block 41
        events.addAllocation(Operation.ALIGNED, 1, 5_020, 63, 107, 64, true); // block 42
        events.addAllocation(Operation.NEW, 1, 5_020, 64, Long.MAX_VALUE, 0, false);
        events.addReallocation(1, 5_031, 65, 109, true, 41); // block 43
        events.addReallocation(1, 5_032, 66, 113, true, EventColumns.NO_BLOCK); // block 44
        events.addReallocation(1, 5_033, 67, 127, false, 43);
        events.addReallocation(1, 5_034, 68, 0, false, 44);
        events.addMark(Operation.FRAME, 0, 5_040);
        events.addPhase(0, 5_040, "battle");
        events.addRelease(Operation.FREE, 0, 5_041, 69, 0);
        events.addRelease(Operation.DELETE, 2, 5_042, 70, EventColumns.UNKNOWN_BLOCK);
        events.addRelease(Operation.FREE, 2, 5_043, 71, EventColumns.PREEXISTING_BLOCK);
        events.addRelease(Operation.MISSED_FREE, 2, 5_044, 0, 42);
        events.addValue(2, 5_045, "players", 3.5);
        events.addTrim(2, 5_046, 72, 131_072);
        events.addMark(Operation.TICK, 0, 5_047);
        return events;
    }

    /** A replayed frame: first writes of all blocks, switches by all marks, and a drop. */
    static EventColumns replayed() {
        EventColumns events = new EventColumns();
        events.begin(0, 0, 100, 0, 0, 0);
        events.isDropping(true);
        events.addAllocation(Operation.MALLOC, 0, 100, 10, 4_096, 0, true); // block 0
        events.addFirstWrite(311);
        events.addAllocation(Operation.NEW, 0, 110, 10, 1L << 60, 0, false);
        events.addMark(Operation.TICK, 0, 115);
        events.addInvoluntarySwitches(3);
        events.addAllocation(Operation.CALLOC, 1, 120, 10, 0, 0, true); // block 1: took no time
        events.addRelease(Operation.FREE, 1, 130, 10, 1);
        events.addReallocation(0, 140, 10, 8_192, true, 0); // block 2
        events.addFirstWrite(313);
        events.addPhase(0, 145, "battle");
        events.addMark(Operation.FRAME, 0, 150);
        events.addInvoluntarySwitches(5);
        return events;
    }

    /** Random but valid events. */
    static EventColumns random(Random random) {
        EventColumns events = new EventColumns();
        long firstBlock = random.nextInt(1 << 20);
        long time = random.nextInt(1 << 30);
        events.begin(
                random.nextInt(1000),
                firstBlock,
                time,
                random.nextInt(),
                random.nextInt(100),
                random.nextInt(3));
        events.timeInversions(random.nextInt(5));
        events.isDropping(random.nextBoolean());
        boolean isReplay = random.nextBoolean();
        for (int i = random.nextInt(400); i > 0; i--) {
            time += random.nextInt(4) == 0 ? 0 : (long) Math.exp(random.nextDouble() * 20);
            addRandom(
                    events,
                    random,
                    random.nextInt(3),
                    time,
                    (long) Math.exp(random.nextDouble() * 12));
            addBeside(events, random, isReplay);
        }
        return events;
    }

    private static void addBeside(EventColumns events, Random random, boolean isReplay) {
        int last = events.size() - 1;
        if (isReplay && events.made(last) != EventColumns.NO_BLOCK) {
            events.addFirstWrite(random.nextInt(100_000));
        } else if (isReplay && Operation.isSpanMark(events.operation(last))) {
            events.addInvoluntarySwitches(random.nextInt(100));
        }
    }

    private static void addRandom(
            EventColumns events, Random random, int thread, long time, long took) {
        int operation = 1 + random.nextInt(Operation.TRIM);
        long size = (long) Math.exp(random.nextDouble() * 30);
        boolean made = random.nextInt(8) != 0;
        if (operation == Operation.REALLOC) {
            events.addReallocation(
                    thread, time, took, size, made, block(events, random, EventColumns.NO_BLOCK));
        } else if (Operation.asksForBlock(operation)) {
            events.addAllocation(
                    operation,
                    thread,
                    time,
                    took,
                    size,
                    random.nextInt(3) == 0 ? 1L << random.nextInt(20) : 0,
                    made);
        } else if (Operation.mayRelease(operation)) {
            events.addRelease(
                    operation,
                    thread,
                    time,
                    took,
                    block(events, random, EventColumns.UNKNOWN_BLOCK));
        } else if (operation == Operation.PHASE) {
            events.addPhase(thread, time, "phase " + random.nextInt(3));
        } else if (operation == Operation.VALUE) {
            events.addValue(thread, time, "välue", random.nextDouble());
        } else if (operation == Operation.TRIM) {
            events.addTrim(
                    thread,
                    time,
                    took,
                    random.nextInt(3) == 0 ? EventColumns.UNKNOWN_BYTES : size - 4096);
        } else {
            events.addMark(operation, thread, time);
        }
    }

    private static long block(EventColumns events, Random random, long other) {
        if (events.nextBlock() == 0 || random.nextInt(10) == 0) {
            return other;
        }
        return random.nextInt(10) == 0
                ? EventColumns.PREEXISTING_BLOCK
                : (long) (random.nextDouble() * events.nextBlock());
    }
}
