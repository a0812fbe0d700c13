package dev.tidemark.replay;

import dev.tidemark.schemas.EventColumns;
import dev.tidemark.schemas.Operation;
import dev.tidemark.schemas.TraceEncoder;
import dev.tidemark.schemas.avro.Clock;
import dev.tidemark.schemas.avro.Detail;
import dev.tidemark.schemas.avro.EndReason;
import dev.tidemark.schemas.avro.Host;
import dev.tidemark.schemas.avro.Kind;
import dev.tidemark.schemas.avro.MemorySample;
import dev.tidemark.schemas.avro.ReplayOutcome;
import dev.tidemark.schemas.avro.Role;
import dev.tidemark.schemas.avro.SessionEnd;
import dev.tidemark.schemas.avro.SessionStart;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** Makes the records of a session from events; keeps the books that a block's head needs. */
public final class TestSession {
    public static final long STARTED_AT_US = 1_767_225_600_000_000L; // 2026-01-01T00:00:00Z
    public static final String ID = "01890000-0000-7000-8000-000000000001";

    private final String id;
    private final long epoch;
    private final TraceEncoder encoder = new TraceEncoder();
    private final Map<Long, Long> live = new HashMap<>();
    private final List<byte[]> records = new ArrayList<>();
    private long seq;
    private long events;
    private long blocks;
    private long newestNs;

    public TestSession(String id, long epoch) {
        this.id = id;
        this.epoch = epoch;
    }

    /** A session with a start, these events in blocks of so many, and an end. */
    public static List<byte[]> whole(String id, List<TestEvent> events, int perBlock) {
        return whole(id, 0, events, perBlock);
    }

    /** Likewise, as a pass of the session. */
    public static List<byte[]> whole(String id, long epoch, List<TestEvent> events, int perBlock) {
        TestSession session = new TestSession(id, epoch);
        session.start(Clock.LIVE);
        for (int i = 0; i < events.size(); i += perBlock) {
            session.block(events.subList(i, Math.min(events.size(), i + perBlock)));
        }
        session.end();
        return session.records();
    }

    public static SessionStart startOf(Clock clock) {
        return SessionStart.newBuilder()
                .setTitle("testgame")
                .setRole(Role.SERVER)
                .setKind(Kind.LIVE)
                .setClock(clock)
                .setDetail(Detail.EVENTS)
                .setPolicy(Map.of("MALLOC_ARENA_MAX", "2"))
                .setFrameDefinition("tidemark_frame")
                .setTickDefinition("tidemark_tick")
                .setStartedAtUs(STARTED_AT_US)
                .setHost(Host.newBuilder().setCores(2).build())
                .build();
    }

    public TestSession start(Clock clock) {
        return payload(startOf(clock));
    }

    public TestSession payload(SpecificRecord payload) {
        records.add(encoder.encode(id, epoch, seq++, payload));
        return this;
    }

    public TestSession sample(long atNs, long rssBytes, long anonymousBytes) {
        return payload(
                MemorySample.newBuilder()
                        .setAtNs(atNs)
                        .setRssBytes(rssBytes)
                        .setAnonymousBytes(anonymousBytes)
                        .build());
    }

    public TestSession block(List<TestEvent> block) {
        return block(block, 0);
    }

    public TestSession block(List<TestEvent> block, long droppedBefore) {
        EventColumns columns = new EventColumns();
        columns.begin(
                events,
                blocks,
                block.isEmpty() ? newestNs : block.get(0).atNs(),
                live.values().stream().mapToLong(Long::longValue).sum(),
                live.size(),
                droppedBefore);
        for (TestEvent event : block) {
            event.addTo(columns);
            book(event);
        }
        events += block.size();
        records.add(encoder.encode(id, epoch, seq++, columns));
        return this;
    }

    /** A block as it is; its head is the caller's business. */
    public TestSession block(EventColumns columns) {
        events += columns.size();
        blocks = columns.nextBlock();
        if (columns.size() > 0) {
            newestNs = columns.timeNs(columns.size() - 1);
        }
        records.add(encoder.encode(id, epoch, seq++, columns));
        return this;
    }

    private void book(TestEvent event) {
        newestNs = event.atNs();
        boolean isFailedRealloc =
                event.operation() == Operation.REALLOC && !event.makesBlock() && event.size() != 0;
        if (event.released() >= 0 && !isFailedRealloc) {
            live.remove(event.released());
        }
        if (event.makesBlock()) {
            live.put(blocks++, event.size());
        }
    }

    public TestSession end() {
        return end(newestNs + 1000);
    }

    public TestSession end(long atNs) {
        return end(atNs, null);
    }

    /** An end with what a replay says of itself. */
    public TestSession end(long atNs, @Nullable ReplayOutcome outcome) {
        return payload(
                SessionEnd.newBuilder()
                        .setAtNs(atNs)
                        .setReason(EndReason.EXIT)
                        .setExitCode(0)
                        .setEventsSent(events)
                        .setEventsDropped(0)
                        .setReplay(outcome)
                        .build());
    }

    /** The records so far, in order of seq. */
    public List<byte[]> records() {
        return new ArrayList<>(records);
    }

    /** Leaves out a seq, as if its record was lost before it was ever made. */
    public TestSession skipSeq() {
        seq++;
        return this;
    }
}
