package dev.tidemark.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import dev.tidemark.schemas.EventColumns;
import dev.tidemark.schemas.Operation;
import dev.tidemark.schemas.avro.Clock;
import dev.tidemark.schemas.avro.Kind;
import dev.tidemark.schemas.avro.MarkCounters;
import dev.tidemark.schemas.avro.MarkKind;
import dev.tidemark.schemas.avro.ReplayOutcome;
import dev.tidemark.schemas.avro.RoundKind;
import dev.tidemark.schemas.avro.SessionStart;
import dev.tidemark.schemas.avro.ThreadCounters;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What only a replay of a recording measures: first writes, switches, and its end. */
class ReplaySessionTest {
    private static final long FIRST_WRITE_NS = 1_000;
    private static final long SECOND = 1_000_000_000;

    private static TestSession session(RoundKind kind) {
        return new TestSession(TestSession.ID, 0)
                .payload(
                        SessionStart.newBuilder(TestSession.startOf(Clock.REPLAY))
                                .setKind(Kind.REPLAY)
                                .setRoundKind(kind)
                                .setTouch("all")
                                .build());
    }

    private static Replayed replay(TestSession session) throws Exception {
        Replayed replayed = new Replayed(false);
        for (byte[] record : session.records()) {
            replayed.accept(List.of(record));
            replayed.restart();
        }
        assertThat(replayed.rejected).isEmpty();
        return replayed;
    }

    private static EventColumns columns(long firstEvent, long firstBlock, long firstTimeNs) {
        EventColumns columns = new EventColumns();
        columns.begin(firstEvent, firstBlock, firstTimeNs, 1000 * firstBlock, firstBlock, 0);
        return columns;
    }

    private static void allocate(EventColumns to, int thread, long atNs, long firstWriteNs) {
        to.addAllocation(Operation.MALLOC, thread, atNs, 50, 1000, 0, true);
        to.addFirstWrite(firstWriteNs);
    }

    private static void mark(EventColumns to, int operation, int thread, long atNs, long switches) {
        to.addMark(operation, thread, atNs);
        to.addInvoluntarySwitches(switches);
    }

    /**
     * Two threads; frames end at 1000, 2000 and 3000, a tick at 1400, and nothing marks the end.
     */
    private static TestSession profiled() {
        EventColumns first = columns(0, 0, 100);
        allocate(first, 0, 100, 11);
        allocate(first, 1, 200, 13);
        mark(first, Operation.FRAME, 0, 1000, 2);
        first.addPhase(0, 1000, "battle");
        allocate(first, 0, 1100, 17);
        allocate(first, 1, 1200, 19);
        mark(first, Operation.TICK, 1, 1400, 3);
        EventColumns second = columns(7, 4, 1500);
        allocate(second, 0, 1500, 23);
        mark(second, Operation.FRAME, 0, 2000, 3);
        EventColumns third = columns(9, 5, 2100);
        third.addAllocation(Operation.NEW, 0, 2100, 50, 1000, 0, false);
        mark(third, Operation.FRAME, 0, 3000, 10);
        EventColumns fourth = columns(11, 5, 3100);
        allocate(fourth, 1, 3100, 29);
        return session(RoundKind.PROFILED)
                .sample(500, 1_700_004, 1_650_000)
                .block(first)
                .block(second)
                .block(third)
                .block(fourth);
    }

    @Test
    void addsUpFirstWritesAndSwitchesOfAProfiledRound() throws Exception {
        Replayed replayed = replay(profiled().end(4000));

        List<Map<String, Object>> frames = replayed.table("frames");
        assertThat(frames)
                .extracting(f -> f.get("first_write_ns"))
                .containsExactly(11L + 13, 17L + 19 + 23, 0L, 29L);
        assertThat(frames)
                .extracting(f -> f.get("marking_thread_first_write_ns"))
                .containsExactly(11L, 17L + 23, 0L, null);
        assertThat(frames)
                .extracting(f -> f.get("involuntary_switches"))
                .containsExactly(2L, 1L, 7L, null);
        List<Map<String, Object>> ticks = replayed.table("ticks");
        assertThat(ticks)
                .extracting(t -> t.get("first_write_ns"))
                .containsExactly(11L + 13 + 17 + 19, 23L + 29);
        assertThat(ticks)
                .extracting(t -> t.get("marking_thread_first_write_ns"))
                .containsExactly(13L + 19, null);
        assertThat(ticks).extracting(t -> t.get("involuntary_switches")).containsExactly(3L, null);
        assertThat(replayed.last("phases")).containsEntry("first_write_ns", 17L + 19 + 23 + 29);
        assertThat(replayed.last("sessions"))
                .containsEntry("first_write_ns", 11L + 13 + 17 + 19 + 23 + 29)
                .containsEntry("allocator_ns", 7L * 50);
    }

    @Test
    void knowsNoSwitchesOfAFrameWhoseMarkDoesNotCountThem() throws Exception {
        EventColumns first = columns(0, 0, 100);
        mark(first, Operation.FRAME, 0, 100, 4);
        EventColumns second = columns(1, 0, 200);
        second.addMark(Operation.FRAME, 0, 200);
        EventColumns third = columns(2, 0, 300);
        mark(third, Operation.FRAME, 0, 300, 5);
        mark(third, Operation.FRAME, 0, 400, 5);

        Replayed replayed =
                replay(session(RoundKind.PROFILED).block(first).block(second).block(third).end());

        assertThat(replayed.table("frames"))
                .extracting(f -> f.get("involuntary_switches"), f -> f.get("first_write_ns"))
                .containsExactly(
                        tuple(4L, null),
                        tuple(null, null),
                        tuple(null, null),
                        tuple(0L, null),
                        tuple(null, null));
    }

    private static ThreadCounters sums(int thread, long firstWriteNs, long switches) {
        return ThreadCounters.newBuilder()
                .setThread(thread)
                .setAllocCalls(1)
                .setFreeCalls(0)
                .setReallocCalls(0)
                .setFailedCalls(0)
                .setAllocBytes(10)
                .setFreeBytes(0)
                .setAllocatorNs(100L)
                .setFirstWriteNs(firstWriteNs)
                .setInvoluntarySwitches(switches)
                .build();
    }

    private static MarkCounters frame(long ordinal, ThreadCounters... threads) {
        return MarkCounters.newBuilder()
                .setMark(MarkKind.FRAME)
                .setOrdinal(ordinal)
                .setAtNs(ordinal * 1000)
                .setThread(0)
                .setLiveBytes(10)
                .setLiveBlocks(1)
                .setPeakLiveBytes(10)
                .setThreads(List.of(threads))
                .build();
    }

    @Test
    void takesFirstWritesAndSwitchesOfAPlainRoundFromItsSums() throws Exception {
        Replayed replayed =
                replay(
                        session(RoundKind.PLAIN)
                                .payload(frame(1, sums(0, 500, 3), sums(1, 70, 1)))
                                .payload(frame(2, sums(1, 90, 6)))
                                .payload(frame(3, sums(0, 800, 5)))
                                .end(4000));

        List<Map<String, Object>> frames = replayed.table("frames");
        assertThat(frames)
                .extracting(f -> f.get("first_write_ns"))
                .containsExactly(570L, 20L, 300L, 0L);
        assertThat(frames)
                .extracting(f -> f.get("marking_thread_first_write_ns"))
                .containsExactly(500L, 0L, 300L, null);
        assertThat(frames)
                .extracting(f -> f.get("involuntary_switches"))
                .containsExactly(4L, 5L, 2L, null);
        assertThat(replayed.last("sessions")).containsEntry("first_write_ns", 890L);
    }

    private static ReplayOutcome outcome() {
        return ReplayOutcome.newBuilder()
                .setLateRatio(0.0625)
                .setBaselineRssBytes(1_000_003L)
                .setPeakRssBytes(700_001L)
                .setRetainedBytes(500_009L)
                .setRetained1sBytes(400_009L)
                .setRetained5sBytes(200_003L)
                .setRetained15sBytes(100_003L)
                .setRetainedAfterCallsBytes(-4_096L)
                .setReturnHalfNs(2_100_000_000L)
                .build();
    }

    @Test
    void saysOfTheSessionWhatItsEndSays() throws Exception {
        Replayed replayed =
                replay(profiled().sample(20 * SECOND, 1_100_006, 1_090_000).end(4000, outcome()));

        assertThat(replayed.last("sessions"))
                .containsEntry("late_ratio", 0.0625)
                .containsEntry("baseline_rss_bytes", 1_000_003L)
                .containsEntry("peak_rss_bytes", 700_001L)
                .containsEntry("retained_bytes", 500_009L)
                .containsEntry("retained_1s_bytes", 400_009L)
                .containsEntry("retained_5s_bytes", 200_003L)
                .containsEntry("retained_15s_bytes", 100_003L)
                .containsEntry("retained_after_calls_bytes", -4_096L)
                .containsEntry("return_half_ns", 2_100_000_000L)
                .containsEntry("end_rss_bytes", 1_100_006L)
                .containsEntry("peak_anonymous_bytes", 1_650_000L)
                .doesNotContainKey("coverage_ratio");
    }

    @Test
    void isNotStretchedByTheSamplesAfterItsEnd() throws Exception {
        Replayed replayed =
                replay(profiled().sample(20 * SECOND, 1_100_006, 1_090_000).end(4000, outcome()));

        assertThat(replayed.table("memory"))
                .extracting(m -> m.get("at_ns"), m -> m.get("rss_bytes"), m -> m.get("live_bytes"))
                .containsExactly(
                        tuple(500L, 1_700_004L, 2000L), tuple(20 * SECOND, 1_100_006L, 6000L));
        assertThat(replayed.last("sessions"))
                .containsEntry("duration_ns", 4000L)
                .containsEntry("observed_at", TestSession.STARTED_AT_US + 4)
                .containsEntry("ended_at", TestSession.STARTED_AT_US + 4);
        assertThat(replayed.last("frames")).containsEntry("duration_ns", 1000L);
        assertThat(replayed.last("phases")).containsEntry("duration_ns", 3000L);
    }

    @Test
    void leavesNullWhatWasNotMeasured() throws Exception {
        Replayed replayed =
                replay(
                        profiled()
                                .end(
                                        4000,
                                        ReplayOutcome.newBuilder()
                                                .setLateRatio(Double.NaN)
                                                .setRetainedBytes(500_009L)
                                                .build()));

        assertThat(replayed.last("sessions"))
                .containsEntry("retained_bytes", 500_009L)
                .doesNotContainKeys(
                        "late_ratio",
                        "baseline_rss_bytes",
                        "peak_rss_bytes",
                        "retained_1s_bytes",
                        "retained_5s_bytes",
                        "retained_15s_bytes",
                        "retained_after_calls_bytes",
                        "return_half_ns");
    }

    @Test
    void knowsNothingOfTheMemoryOfOneThatHasNoEnd() throws Exception {
        Replayed replayed = replay(profiled().sample(20 * SECOND, 1_100_006, 9));
        replayed.session.lose();

        assertThat(replayed.last("sessions"))
                .containsEntry("state", "lost")
                .containsEntry("duration_ns", 3100L)
                .containsEntry("end_rss_bytes", 1_100_006L)
                .doesNotContainKeys("peak_rss_bytes", "retained_bytes", "coverage_ratio");
    }

    @Test
    void putsAnEventOfAnEarlierTimeThanTheBlockBeforeAtItsEnd() throws Exception {
        EventColumns first = columns(0, 0, 100);
        allocate(first, 0, 100, FIRST_WRITE_NS);
        mark(first, Operation.FRAME, 0, 900, 0);
        EventColumns late = columns(2, 1, 700);
        allocate(late, 1, 700, FIRST_WRITE_NS);
        mark(late, Operation.FRAME, 0, 1500, 0);

        Replayed replayed = replay(session(RoundKind.PROFILED).block(first).block(late).end(2000));

        assertThat(replayed.table("frames"))
                .extracting(f -> f.get("start_ns"), f -> f.get("alloc_calls"))
                .containsExactly(tuple(0L, 1L), tuple(900L, 1L), tuple(1500L, 0L));
        assertThat(replayed.last("sessions")).containsEntry("time_inversions", 1L);
    }
}
