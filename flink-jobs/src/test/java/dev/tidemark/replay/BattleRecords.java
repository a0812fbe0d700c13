package dev.tidemark.replay;

import dev.tidemark.schemas.EventColumns;
import dev.tidemark.schemas.Operation;
import dev.tidemark.schemas.TraceEncoder;
import dev.tidemark.schemas.avro.Clock;
import dev.tidemark.schemas.avro.EndReason;
import dev.tidemark.schemas.avro.SessionEnd;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Records of a large made-up session for benchmarks: a level of long-lived blocks, then frames of
 * some thousand calls of four threads, most blocks released within a frame or two.
 */
public final class BattleRecords {
    private static final int EVENTS_PER_BLOCK = 40_000;
    private static final int CALLS_PER_FRAME = 3000;

    private final Random random = new Random(42);
    private final TraceEncoder encoder = new TraceEncoder();
    private final List<byte[]> records = new ArrayList<>();
    private final EventColumns columns = new EventColumns();
    private final String id;
    private final long[] ordinals;
    private final long[] sizes;
    private int live;
    private long seq;
    private long events;
    private long blocks;
    private long liveBytes;
    private long nowNs;
    private int thread;

    private BattleRecords(String id, int maxLive) {
        this.id = id;
        ordinals = new long[maxLive + CALLS_PER_FRAME];
        sizes = new long[maxLive + CALLS_PER_FRAME];
    }

    /**
     * The records of a session.
     *
     * @param eventCount events, about
     * @param liveBlocks blocks that live for long
     */
    public static List<byte[]> of(String id, long eventCount, int liveBlocks) {
        BattleRecords made = new BattleRecords(id, liveBlocks);
        made.records.add(made.encoder.encode(id, 0, made.seq++, TestSession.startOf(Clock.LIVE)));
        made.begin();
        while (made.live < liveBlocks) {
            made.allocate();
        }
        while (made.events + made.columns.size() < eventCount) {
            made.frame(liveBlocks);
        }
        made.send();
        made.records.add(
                made.encoder.encode(
                        id,
                        0,
                        made.seq++,
                        SessionEnd.newBuilder()
                                .setAtNs(made.nowNs)
                                .setReason(EndReason.EXIT)
                                .setEventsSent(made.events)
                                .setEventsDropped(0)
                                .build()));
        return made.records;
    }

    private void begin() {
        columns.begin(events, blocks, nowNs, liveBytes, live, 0);
    }

    private void send() {
        events += columns.size();
        records.add(encoder.encode(id, 0, seq++, columns));
        begin();
    }

    private void step() {
        nowNs += random.nextInt(400);
        if (random.nextInt(6) == 0) {
            thread = random.nextInt(4);
        }
        if (columns.size() == EVENTS_PER_BLOCK) {
            send();
        }
    }

    private void allocate() {
        step();
        long size = 16L + (random.nextInt(20) == 0 ? random.nextInt(20_000) : random.nextInt(200));
        ordinals[live] =
                columns.addAllocation(
                        Operation.NEW, thread, nowNs, 20 + random.nextInt(100), size, 0, true);
        sizes[live++] = size;
        blocks++;
        liveBytes += size;
    }

    private void free(int at) {
        step();
        columns.addRelease(Operation.DELETE, thread, nowNs, 15 + random.nextInt(60), ordinals[at]);
        liveBytes -= sizes[at];
        live--;
        ordinals[at] = ordinals[live];
        sizes[at] = sizes[live];
    }

    private void frame(int liveBlocks) {
        for (int i = 0; i < CALLS_PER_FRAME; i++) {
            boolean isFull = live >= liveBlocks + CALLS_PER_FRAME / 4;
            if (!isFull && (live <= liveBlocks || random.nextBoolean())) {
                allocate();
            } else {
                int recent = live - 1 - random.nextInt(CALLS_PER_FRAME / 4);
                free(random.nextInt(20) == 0 ? random.nextInt(live) : recent);
            }
        }
        columns.addMark(Operation.TICK, 0, nowNs);
        columns.addMark(Operation.FRAME, 0, nowNs);
    }
}
