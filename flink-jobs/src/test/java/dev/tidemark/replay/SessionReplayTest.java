package dev.tidemark.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.schemas.EventColumns;
import dev.tidemark.schemas.Operation;
import dev.tidemark.schemas.avro.ArenaSample;
import dev.tidemark.schemas.avro.Clock;
import dev.tidemark.schemas.avro.EndReason;
import dev.tidemark.schemas.avro.MemorySample;
import dev.tidemark.schemas.avro.SessionEnd;
import dev.tidemark.schemas.avro.ThreadInfo;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Small sessions whose figures were worked out by hand. */
class SessionReplayTest {
    private static final int FRAME = Operation.FRAME;
    private static final int TICK = Operation.TICK;

    private static TestSession session() {
        return new TestSession(TestSession.ID, 0).start(Clock.LIVE);
    }

    private static Replayed replay(TestSession session) throws Exception {
        return new Replayed(true).accept(session.records());
    }

    @Test
    void countsWhatIsReleasedInTheSameAndInTheNextFrame() throws Exception {
        Replayed replayed =
                replay(
                        session()
                                .block(
                                        List.of(
                                                TestEvent.malloc(0, 100, 7),
                                                TestEvent.mark(FRAME, 0, 1000),
                                                TestEvent.malloc(0, 1100, 13), // block 1
                                                TestEvent.allocation(
                                                        Operation.ALIGNED, 0, 1200, 101, 64, true),
                                                TestEvent.free(0, 1300, 1),
                                                TestEvent.malloc(0, 1400, 17), // block 3
                                                TestEvent.mark(FRAME, 0, 2000),
                                                TestEvent.free(0, 2100, 2),
                                                TestEvent.malloc(0, 2200, 31), // block 4
                                                TestEvent.mark(FRAME, 0, 3000),
                                                TestEvent.free(0, 3100, 3),
                                                TestEvent.mark(FRAME, 0, 4000)))
                                .end(4500));

        List<Map<String, Object>> frames = replayed.table("frames");
        assertThat(frames).hasSize(5);
        assertThat(frames).extracting(f -> f.get("frame")).containsExactly(0L, 1L, 2L, 3L, 4L);
        assertThat(frames)
                .extracting(f -> f.get("is_complete"))
                .containsExactly(false, true, true, true, false);
        assertThat(frames)
                .extracting(f -> f.get("duration_ns"))
                .containsExactly(1000L, 1000L, 1000L, 1000L, 500L);
        assertThat(frames.get(1))
                .containsEntry("start_ns", 1000L)
                .containsEntry("alloc_calls", 3L)
                .containsEntry("free_calls", 1L)
                .containsEntry("alloc_bytes", 131L)
                .containsEntry("free_bytes", 13L)
                .containsEntry("allocator_ns", 200L)
                .containsEntry("live_bytes", 125L)
                .containsEntry("live_blocks", 3L)
                .containsEntry("peak_live_bytes", 125L)
                .containsEntry("same_frame_blocks", 1L)
                .containsEntry("same_frame_bytes", 13L)
                .containsEntry("next_frame_blocks", 1L)
                .containsEntry("next_frame_bytes", 101L)
                .containsEntry("frame_arena_bytes", 16L)
                .containsEntry("double_buffer_bytes", 16L + 128L);
        // Block 3 outlived the frame after its own.
        assertThat(frames.get(2))
                .containsEntry("peak_live_bytes", 125L)
                .containsEntry("live_bytes", 55L)
                .containsEntry("next_frame_blocks", 0L);
        assertThat(replayed.table("ticks")).isEmpty();
        assertThat(replayed.last("sessions"))
                .containsEntry("ticks", 0L)
                .containsEntry("frames", 5L)
                .containsEntry("duration_ns", 4500L)
                .containsEntry("end_live_bytes", 7L + 31L)
                .containsEntry("exit_code", 0)
                .containsEntry("end_reason", "exit")
                .containsEntry("started_at", TestSession.STARTED_AT_US)
                .containsEntry("ended_at", TestSession.STARTED_AT_US + 4);
    }

    @Test
    void givesACallToTheFrameThatEndsWhenItComesBeforeTheMarkAtTheSameTime() throws Exception {
        Replayed replayed =
                replay(
                        session()
                                .block(
                                        List.of(
                                                TestEvent.malloc(0, 1000, 7),
                                                TestEvent.mark(FRAME, 0, 1000),
                                                TestEvent.malloc(0, 1000, 11)))
                                .end());

        assertThat(replayed.table("frames"))
                .extracting(f -> f.get("alloc_bytes"))
                .containsExactly(7L, 11L);
    }

    @Test
    void readsEveryKindOfReallocationAsWhatItDid() throws Exception {
        Replayed replayed =
                replay(
                        session()
                                .block(
                                        List.of(
                                                TestEvent.realloc(0, 1, 10, true, -1), // 0
                                                TestEvent.realloc(0, 2, 30, true, 0), // 1
                                                TestEvent.realloc(0, 3, 5, true, 1), // 2
                                                TestEvent.realloc(0, 4, 1L << 50, false, 2),
                                                TestEvent.malloc(0, 5, 0), // 3
                                                TestEvent.realloc(0, 6, 0, false, 3),
                                                TestEvent.allocation(
                                                        Operation.MALLOC, 0, 7, 1L << 60, 0, false),
                                                TestEvent.realloc(
                                                        0,
                                                        8,
                                                        9,
                                                        true,
                                                        EventColumns.UNKNOWN_BLOCK))) // 4
                                .end());

        assertThat(replayed.last("sessions"))
                .containsEntry("alloc_calls", 2L)
                .containsEntry("realloc_calls", 3L)
                .containsEntry("free_calls", 1L)
                .containsEntry("failed_calls", 2L)
                .containsEntry("alloc_bytes", 10L + 30 + 5 + 0 + 9)
                .containsEntry("free_bytes", 10L + 30)
                .containsEntry("unknown_frees", 1L)
                .containsEntry("end_live_bytes", 5L + 9)
                .containsEntry("end_live_blocks", 2L)
                .containsEntry("peak_live_bytes", 30L);
        EventBatch events = replayed.batches.get(0);
        assertThat(events.releasedBlock(1)).isEqualTo(0);
        assertThat(events.block(1)).isEqualTo(1);
        assertThat(events.sizeBytes(1)).isEqualTo(30);
        assertThat(events.releasedBlock(3)).isEqualTo(EventBatch.NULL);
        assertThat(events.releasedBlock(5)).isEqualTo(3);
        assertThat(events.block(6)).isEqualTo(EventBatch.NULL);
        assertThat(events.releasedBlock(7)).isEqualTo(EventBatch.NULL);
    }

    @Test
    void tellsTheMarkingThreadsTimeFromThatOfAll() throws Exception {
        Replayed replayed =
                replay(
                        session()
                                .block(
                                        List.of(
                                                TestEvent.malloc(0, 10, 1).took(9000),
                                                TestEvent.mark(TICK, 1, 20),
                                                TestEvent.malloc(0, 30, 1).took(100),
                                                TestEvent.malloc(1, 40, 1).took(40),
                                                TestEvent.free(0, 45, 2).took(7),
                                                TestEvent.mark(TICK, 1, 50),
                                                TestEvent.malloc(0, 60, 1).took(2_000_000),
                                                TestEvent.mark(TICK, 3, 70)))
                                .end());

        List<Map<String, Object>> ticks = replayed.table("ticks");
        assertThat(ticks)
                .extracting(t -> t.get("marking_thread_allocator_ns"))
                .containsExactly(0L, 40L, 0L, null);
        assertThat(ticks)
                .extracting(t -> t.get("allocator_ns"))
                .containsExactly(9000L, 147L, 2_000_000L, 0L);
        assertThat(ticks.get(2))
                .containsEntry("max_call_ns", 2_000_000L)
                .containsEntry("calls_over_10us", 1L)
                .containsEntry("calls_over_100us", 1L)
                .containsEntry("calls_over_1ms", 1L);
        assertThat(ticks.get(3)).doesNotContainKey("max_call_ns");
        assertThat(replayed.table("threads"))
                .extracting(t -> t.get("cross_thread_frees"))
                .containsExactly(1L, 0L);
    }

    @Test
    void leavesOutWhatAnImportWithoutDurationsCannotKnow() throws Exception {
        Replayed replayed =
                replay(
                        new TestSession(TestSession.ID, 0)
                                .start(Clock.NONE)
                                .block(
                                        List.of(
                                                TestEvent.malloc(0, 10, 1).took(0),
                                                TestEvent.mark(FRAME, 0, 20),
                                                TestEvent.mark(FRAME, 0, 30)))
                                .end());

        assertThat(replayed.table("frames").get(1))
                .containsEntry("alloc_calls", 0L)
                .doesNotContainKeys(
                        "allocator_ns",
                        "marking_thread_allocator_ns",
                        "max_call_ns",
                        "calls_over_10us",
                        "first_write_ns",
                        "involuntary_switches");
        assertThat(replayed.last("sessions")).doesNotContainKey("allocator_ns");
        assertThat(replayed.last("threads")).doesNotContainKey("allocator_ns");
        assertThat(replayed.batches.get(0).durationNs(0)).isEqualTo(EventBatch.NULL);
    }

    @Test
    void showsTheBytesLiveWhenAMemorySampleWasTakenThoughItCameBeforeItsEvents() throws Exception {
        Replayed replayed =
                replay(
                        session()
                                .sample(150, 5000, 4000)
                                .block(
                                        List.of(
                                                TestEvent.malloc(0, 100, 7),
                                                TestEvent.malloc(0, 200, 11)))
                                .sample(300, 9000, 5000)
                                .sample(400, 8000, 4500)
                                .end(500));

        assertThat(replayed.table("memory"))
                .containsExactly(
                        Map.of(
                                "at_ns",
                                150L,
                                "rss_bytes",
                                5000L,
                                "anonymous_bytes",
                                4000L,
                                "live_bytes",
                                7L),
                        Map.of(
                                "at_ns",
                                300L,
                                "rss_bytes",
                                9000L,
                                "anonymous_bytes",
                                5000L,
                                "live_bytes",
                                18L),
                        Map.of(
                                "at_ns",
                                400L,
                                "rss_bytes",
                                8000L,
                                "anonymous_bytes",
                                4500L,
                                "live_bytes",
                                18L));
        assertThat(replayed.last("sessions"))
                .containsEntry("peak_rss_bytes", 9000L)
                .containsEntry("end_rss_bytes", 8000L)
                .containsEntry("retained_bytes", 8000L - 18)
                .containsEntry("peak_anonymous_bytes", 5000L)
                .containsEntry("coverage_ratio", 18 / 5000.0);
    }

    @Test
    void givesArenasValuesTrimsAndNames() throws Exception {
        Replayed replayed =
                replay(
                        session()
                                .payload(
                                        MemorySample.newBuilder()
                                                .setAtNs(5)
                                                .setArenas(
                                                        List.of(
                                                                ArenaSample.newBuilder()
                                                                        .setArena(1)
                                                                        .setSystemBytes(64)
                                                                        .build()))
                                                .build())
                                .payload(ThreadInfo.newBuilder().setThread(2).setName("a").build())
                                .payload(ThreadInfo.newBuilder().setThread(2).setName("b").build())
                                .block(
                                        List.of(
                                                TestEvent.value(0, 10, "players", 3.5),
                                                TestEvent.value(0, 11, "broken", Double.NaN),
                                                TestEvent.trim(2, 20, 4096).took(900),
                                                TestEvent.trim(2, 30, EventColumns.UNKNOWN_BYTES)))
                                .end());

        assertThat(replayed.table("arenas"))
                .containsExactly(Map.of("at_ns", 5L, "arena", 1, "system_bytes", 64L));
        assertThat(replayed.last("memory")).containsEntry("arenas", 1L);
        assertThat(replayed.table("values"))
                .containsExactly(
                        Map.of("at_ns", 10L, "name", "players", "value", 3.5),
                        Map.of("at_ns", 11L, "name", "broken"));
        assertThat(replayed.table("trims"))
                .containsExactly(
                        Map.of(
                                "at_ns",
                                20L,
                                "thread",
                                2,
                                "duration_ns",
                                900L,
                                "returned_bytes",
                                4096L),
                        Map.of("at_ns", 30L, "thread", 2, "duration_ns", 50L));
        assertThat(replayed.last("threads"))
                .containsEntry("thread", 2)
                .containsEntry("name", "b")
                .containsEntry("alloc_calls", 0L);
        assertThat(replayed.last("sessions")).containsEntry("threads", 0L);
    }

    @Test
    void addsUpAPhasesStretches() throws Exception {
        Replayed replayed =
                replay(
                        session()
                                .block(
                                        List.of(
                                                TestEvent.malloc(0, 5, 1),
                                                TestEvent.phase(0, 10, "menu"),
                                                TestEvent.malloc(0, 15, 2),
                                                TestEvent.mark(FRAME, 0, 20),
                                                TestEvent.phase(0, 30, "battle"),
                                                TestEvent.malloc(0, 35, 4),
                                                TestEvent.mark(FRAME, 0, 40),
                                                TestEvent.phase(0, 60, "menu"),
                                                TestEvent.malloc(0, 65, 8)))
                                .end(100));

        List<Map<String, Object>> phases = replayed.table("phases");
        assertThat(phases).extracting(p -> p.get("phase")).containsExactly("menu", "battle");
        assertThat(phases).extracting(p -> p.get("duration_ns")).containsExactly(20L + 40, 30L);
        assertThat(phases).extracting(p -> p.get("alloc_bytes")).containsExactly(10L, 4L);
        assertThat(phases).extracting(p -> p.get("frames")).containsExactly(1L, 1L);
        assertThat(phases).extracting(p -> p.get("peak_live_bytes")).containsExactly(15L, 7L);
        assertThat(replayed.table("frames"))
                .extracting(f -> f.get("phase"))
                .containsExactly(null, "menu", "battle");
    }

    @Test
    void showsASignal() throws Exception {
        Replayed replayed =
                replay(
                        session()
                                .payload(
                                        SessionEnd.newBuilder()
                                                .setAtNs(10)
                                                .setReason(EndReason.SIGNAL)
                                                .setSignal(9)
                                                .setEventsSent(0)
                                                .setEventsDropped(4)
                                                .build()));

        assertThat(replayed.last("sessions"))
                .containsEntry("end_reason", "signal 9")
                .containsEntry("dropped_events", 4L)
                .doesNotContainKey("exit_code");
    }

    @Test
    void splitsEventsAtMidnight() throws Exception {
        long midnightNs = 86_400_000_000_000L;
        Replayed replayed =
                replay(
                        session()
                                .block(
                                        List.of(
                                                TestEvent.malloc(0, midnightNs - 1, 1),
                                                TestEvent.malloc(0, midnightNs, 2),
                                                TestEvent.malloc(0, midnightNs + 1, 3)))
                                .end());

        assertThat(replayed.batches).extracting(EventBatch::size).containsExactly(1, 2);
        assertThat(replayed.batches.get(1).day()).isEqualTo(replayed.batches.get(0).day() + 1);
        assertThat(replayed.batches.get(0).sizeBytes(0)).isEqualTo(1);
    }
}
