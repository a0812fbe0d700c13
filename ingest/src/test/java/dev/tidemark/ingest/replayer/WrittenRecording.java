package dev.tidemark.ingest.replayer;

import dev.tidemark.schemas.EventColumns;
import dev.tidemark.schemas.Operation;
import dev.tidemark.schemas.avro.Clock;
import dev.tidemark.schemas.avro.Detail;
import dev.tidemark.schemas.avro.EndReason;
import dev.tidemark.schemas.avro.Host;
import dev.tidemark.schemas.avro.Kind;
import dev.tidemark.schemas.avro.Role;
import dev.tidemark.schemas.avro.SessionEnd;
import dev.tidemark.schemas.avro.SessionStart;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A recording whose calls a test says one by one, in the order of their times. */
final class WrittenRecording {
    static final String SESSION = "01900000-0000-7000-8000-000000000001";

    private interface Step {
        void into(EventColumns events);
    }

    private final List<Step> steps = new ArrayList<>();
    private final List<Long> times = new ArrayList<>();
    private long blocks;
    private long endNs;

    private void add(long timeNs, Step step) {
        steps.add(step);
        times.add(timeNs);
        endNs = Math.max(endNs, timeNs);
    }

    long malloc(int thread, long timeNs, long size) {
        return make(Operation.MALLOC, thread, timeNs, size, 0);
    }

    long make(int operation, int thread, long timeNs, long size, long alignment) {
        add(
                timeNs,
                events ->
                        events.addAllocation(operation, thread, timeNs, 0, size, alignment, true));
        return blocks++;
    }

    void fail(int operation, int thread, long timeNs, long size) {
        add(timeNs, events -> events.addAllocation(operation, thread, timeNs, 0, size, 0, false));
    }

    long resize(int thread, long timeNs, long block, long size) {
        add(timeNs, events -> events.addReallocation(thread, timeNs, 0, size, true, block));
        return blocks++;
    }

    void failToResize(int thread, long timeNs, long block, long size) {
        add(timeNs, events -> events.addReallocation(thread, timeNs, 0, size, false, block));
    }

    void free(int thread, long timeNs, long block) {
        release(Operation.FREE, thread, timeNs, block);
    }

    void release(int operation, int thread, long timeNs, long block) {
        add(timeNs, events -> events.addRelease(operation, thread, timeNs, 0, block));
    }

    void frame(int thread, long timeNs) {
        add(timeNs, events -> events.addMark(Operation.FRAME, thread, timeNs));
    }

    void tick(int thread, long timeNs) {
        add(timeNs, events -> events.addMark(Operation.TICK, thread, timeNs));
    }

    void phase(int thread, long timeNs, String name) {
        add(timeNs, events -> events.addPhase(thread, timeNs, name));
    }

    /** Writes it in blocks of at most 1,000 events. */
    Path write(Path path) throws IOException {
        try (SessionWriter writer = new SessionWriter(SESSION, path)) {
            writer.send(start());
            EventColumns events = new EventColumns();
            long firstBlock = 0;
            for (int i = 0; i < steps.size(); ) {
                events.begin(i, firstBlock, times.get(i), 0, 0, 0);
                int end = Math.min(steps.size(), i + 1000);
                for (; i < end; i++) {
                    steps.get(i).into(events);
                }
                firstBlock = events.nextBlock();
                writer.send(events);
            }
            writer.send(
                    SessionEnd.newBuilder()
                            .setAtNs(endNs)
                            .setReason(EndReason.EXIT)
                            .setEventsSent(steps.size())
                            .setEventsDropped(0)
                            .build());
            writer.finish();
        }
        return path;
    }

    private static SessionStart start() {
        return SessionStart.newBuilder()
                .setTitle("written")
                .setRole(Role.CLIENT)
                .setScene("test")
                .setKind(Kind.LIVE)
                .setClock(Clock.LIVE)
                .setDetail(Detail.EVENTS)
                .setFrameDefinition("tidemark_frame")
                .setLabels(Map.of("made", "by hand"))
                .setStartedAtUs(1)
                .setHost(Host.newBuilder().build())
                .build();
    }
}
