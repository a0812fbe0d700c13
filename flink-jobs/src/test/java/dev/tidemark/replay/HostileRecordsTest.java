package dev.tidemark.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.tidemark.schemas.EventColumns;
import dev.tidemark.schemas.Operation;
import dev.tidemark.schemas.TraceEncoder;
import dev.tidemark.schemas.TraceFormatException;
import dev.tidemark.schemas.avro.Clock;
import dev.tidemark.schemas.avro.MemorySample;
import dev.tidemark.schemas.avro.SessionEnd;
import dev.tidemark.schemas.avro.SessionStart;
import dev.tidemark.schemas.avro.ThreadInfo;
import java.util.List;
import java.util.Random;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Records that no honest sender makes: they may cost themselves, never more. */
class HostileRecordsTest {
    private static final long HUGE = Long.MAX_VALUE - 5;

    private final TraceEncoder encoder = new TraceEncoder();

    private static byte[] start() {
        return new TestSession(TestSession.ID, 0).start(Clock.LIVE).records().get(0);
    }

    private byte[] record(long seq, SpecificRecord payload) {
        return encoder.encode(TestSession.ID, 0, seq, payload);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void survivesBytesThatFlipped(long seed) throws Exception {
        Random random = new Random(seed);
        List<byte[]> records = TestSession.whole(TestSession.ID, RandomEvents.of(seed, 1500), 40);
        Replayed replayed = new Replayed(true);
        for (byte[] record : records) {
            byte[] damaged = record.clone();
            if (random.nextInt(3) == 0) {
                for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
                    damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
                }
            }
            try {
                replayed.accept(damaged, Replayed.BROKER_MS);
            } catch (TraceFormatException e) {
                assertThat(e.getMessage()).doesNotContain("\n");
            }
            if (random.nextInt(10) == 0) {
                replayed.restart();
            }
        }
        replayed.session.lose();
        assertThat(replayed.rejected).allSatisfy(r -> assertThat(r).doesNotContain("\n"));
        assertThat(replayed.table("sessions")).isNotEmpty();
    }

    @Test
    void takesAbsurdNumbersAsTheyAre() throws Exception {
        EventColumns columns = new EventColumns();
        columns.begin(1L << 59, 1L << 59, HUGE, Long.MIN_VALUE, Long.MAX_VALUE, HUGE);
        columns.addAllocation(Operation.ALIGNED, Integer.MAX_VALUE, HUGE, HUGE, HUGE, HUGE, true);
        columns.addAllocation(Operation.NEW, 5, HUGE, HUGE, HUGE, 1L << 62, true);
        columns.addReallocation(5, HUGE, HUGE, HUGE, true, 1L << 59);
        columns.addRelease(Operation.FREE, 6, HUGE, HUGE, 3);
        columns.addRelease(Operation.FREE, 6, HUGE, HUGE, 3);
        columns.addMark(Operation.FRAME, Integer.MAX_VALUE - 1, HUGE);
        columns.addMark(Operation.TICK, 0, HUGE);
        columns.addPhase(0, HUGE, "x".repeat(100_000));
        Replayed replayed = new Replayed(true);

        replayed.accept(List.of(start(), encoder.encode(TestSession.ID, 0, 1, columns)));
        replayed.restart();
        replayed.session.lose();

        assertThat(replayed.rejected).isEmpty();
        assertThat(replayed.table("frames")).hasSize(2);
        assertThat(replayed.rows).allSatisfy(row -> assertThat(row.day()).isLessThan(2_932_897));
        assertThat(replayed.last("phases").get("phase"))
                .isEqualTo("x".repeat(ThreadTable.MAX_NAME));
        assertThat(replayed.last("sessions")).containsEntry("unknown_frees", 2L);
    }

    @Test
    void rejectsOrdinalsThatNoSessionReaches() throws Exception {
        EventColumns columns = new EventColumns();
        columns.begin(0, HUGE, 0, 0, 0, 0);
        columns.addAllocation(Operation.NEW, 0, 1, 1, 1, 0, true);
        Replayed replayed = new Replayed(true);

        replayed.accept(List.of(start(), encoder.encode(TestSession.ID, 0, 1, columns)));

        assertThat(replayed.rejected)
                .singleElement()
                .asString()
                .contains("offset 1", "first_block " + HUGE);
        replayed.session.lose();
        assertThat(replayed.last("sessions")).containsEntry("gaps", 1L);
    }

    @Test
    void rejectsPayloadsThatCannotBe() throws Exception {
        SessionStart farFuture =
                SessionStart.newBuilder(TestSession.startOf(Clock.LIVE))
                        .setStartedAtUs(HUGE)
                        .build();
        Replayed replayed = new Replayed(true);

        replayed.accept(
                List.of(
                        record(0, farFuture),
                        record(1, MemorySample.newBuilder().setAtNs(-1).build()),
                        record(2, ThreadInfo.newBuilder().setThread(-7).build()),
                        record(3, TestSession.startOf(Clock.LIVE)),
                        record(4, TestSession.startOf(Clock.LIVE)),
                        record(
                                5,
                                SessionEnd.newBuilder()
                                        .setAtNs(-5)
                                        .setEventsSent(0)
                                        .setEventsDropped(0)
                                        .build())));

        assertThat(replayed.rejected).hasSize(5);
        assertThat(replayed.rejected.get(0)).contains("started_at_us is " + HUGE);
        assertThat(replayed.rejected.get(3)).contains("begun already");
        assertThat(replayed.session.isOpen()).isTrue();
    }

    @Test
    void losesNoNeighbourToASeqFarAhead() throws Exception {
        Replayed replayed = new Replayed(true);
        List<byte[]> records = TestSession.whole(TestSession.ID, RandomEvents.of(1, 1000), 100);
        replayed.accept(records.subList(0, 3));

        replayed.accept(List.of(record(HUGE, MemorySample.newBuilder().setAtNs(1).build())));
        replayed.accept(records.subList(3, records.size()));

        assertThat(replayed.rejected).singleElement().asString().contains("seq is " + HUGE);
        assertThat(replayed.last("sessions"))
                .containsEntry("state", "closed")
                .containsEntry("is_whole_load", true);
    }

    @Test
    void sharesAnEntryBetweenThreadsPastTheLimit() throws Exception {
        EventColumns columns = new EventColumns();
        columns.begin(0, 0, 0, 0, 0, 0);
        int extra = 10;
        for (int i = 0; i < ThreadTable.MAX_THREADS + extra; i++) {
            columns.addAllocation(Operation.NEW, i * 3, i, 1, 1, 0, true);
        }
        Replayed replayed = new Replayed(false);

        replayed.accept(List.of(start(), encoder.encode(TestSession.ID, 0, 1, columns)));
        replayed.restart();
        replayed.session.lose();

        assertThat(replayed.table("threads")).hasSize(ThreadTable.MAX_THREADS + 1);
        assertThat(replayed.last("threads"))
                .containsEntry("thread", -1)
                .containsEntry("alloc_calls", (long) extra);
    }

    @Test
    void refusesASubmissionIdThatIsNoFolderName() {
        for (String id : List.of("", "../x", "a/b", ".hidden", "a b")) {
            assertThatCode(() -> new Load(id, 0)).hasMessageContaining("submission id");
        }
    }
}
