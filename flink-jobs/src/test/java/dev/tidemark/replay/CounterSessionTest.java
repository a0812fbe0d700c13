package dev.tidemark.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.schemas.avro.Clock;
import dev.tidemark.schemas.avro.MarkCounters;
import dev.tidemark.schemas.avro.MarkKind;
import dev.tidemark.schemas.avro.ThreadCounters;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Sessions that carry sums at each mark instead of calls. */
class CounterSessionTest {
    private static ThreadCounters sums(
            int thread, long allocs, long frees, long allocBytes, long freeBytes, long ns) {
        return ThreadCounters.newBuilder()
                .setThread(thread)
                .setAllocCalls(allocs)
                .setFreeCalls(frees)
                .setReallocCalls(0)
                .setFailedCalls(0)
                .setAllocBytes(allocBytes)
                .setFreeBytes(freeBytes)
                .setAllocatorNs(ns)
                .build();
    }

    private static MarkCounters mark(
            MarkKind kind,
            long ordinal,
            long atNs,
            @Nullable String phase,
            long live,
            ThreadCounters... threads) {
        return MarkCounters.newBuilder()
                .setMark(kind)
                .setOrdinal(ordinal)
                .setAtNs(atNs)
                .setThread(0)
                .setPhase(phase)
                .setLiveBytes(live)
                .setLiveBlocks(live / 10)
                .setPeakLiveBytes(live + 5)
                .setThreads(List.of(threads))
                .build();
    }

    /** Record 2, the mark at 200, is in it or not. */
    private static Replayed replay(boolean isWhole) throws Exception {
        TestSession session = new TestSession(TestSession.ID, 0).start(Clock.LIVE);
        session.payload(mark(MarkKind.FRAME, 1, 100, null, 60, sums(0, 10, 4, 100, 40, 1000)));
        MarkCounters second =
                mark(
                        MarkKind.FRAME,
                        2,
                        200,
                        "battle",
                        90,
                        sums(0, 12, 4, 120, 40, 1300),
                        sums(1, 1, 0, 10, 0, 50));
        if (isWhole) {
            session.payload(second);
        } else {
            session.skipSeq();
        }
        session.payload(mark(MarkKind.FRAME, 3, 300, "battle", 70, sums(0, 13, 6, 130, 70, 1700)));
        session.end(400);
        Replayed replayed = new Replayed(false);
        for (byte[] record : session.records()) {
            replayed.accept(List.of(record));
            replayed.restart();
        }
        replayed.session.lose();
        return replayed;
    }

    @Test
    void makesFramesOfTheDifferencesBetweenMarks() throws Exception {
        Replayed replayed = replay(true);

        List<Map<String, Object>> frames = replayed.table("frames");
        assertThat(frames).extracting(f -> f.get("frame")).containsExactly(0L, 1L, 2L, 3L);
        assertThat(frames).extracting(f -> f.get("alloc_calls")).containsExactly(10L, 3L, 1L, 0L);
        assertThat(frames).extracting(f -> f.get("free_bytes")).containsExactly(40L, 0L, 30L, 0L);
        assertThat(frames).extracting(f -> f.get("live_bytes")).containsExactly(60L, 90L, 70L, 70L);
        assertThat(frames)
                .extracting(f -> f.get("allocator_ns"))
                .containsExactly(1000L, 350L, 400L, 0L);
        assertThat(frames)
                .extracting(f -> f.get("marking_thread_allocator_ns"))
                .containsExactly(1000L, 300L, 400L, null);
        assertThat(frames)
                .extracting(f -> f.get("phase"))
                .containsExactly(null, "battle", "battle", "battle");
        assertThat(frames)
                .extracting(f -> f.get("peak_live_bytes"))
                .containsExactly(65L, 95L, 90L, 70L);
        assertThat(frames)
                .allSatisfy(
                        f ->
                                assertThat(f)
                                        .containsEntry("adjusted_live_bytes", 0L)
                                        .doesNotContainKeys(
                                                "same_frame_blocks",
                                                "next_frame_bytes",
                                                "frame_arena_bytes",
                                                "double_buffer_bytes",
                                                "max_call_ns",
                                                "calls_over_10us",
                                                "first_write_ns",
                                                "marking_thread_first_write_ns",
                                                "involuntary_switches"));
        assertThat(replayed.table("threads"))
                .extracting(t -> t.get("alloc_calls"), t -> t.get("cross_thread_frees"))
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(13L, null),
                        org.assertj.core.groups.Tuple.tuple(1L, null));
        assertThat(replayed.last("phases"))
                .containsEntry("alloc_calls", 4L)
                .containsEntry("start_ns", 100L)
                .containsEntry("duration_ns", 300L);
        assertThat(replayed.last("sessions"))
                .containsEntry("alloc_calls", 14L)
                .containsEntry("end_live_bytes", 70L)
                .containsEntry("frames", 4L)
                .containsEntry("unknown_payloads", 0L)
                .containsEntry("state", "closed");
    }

    @Test
    void healsALostMarkAtTheNext() throws Exception {
        Replayed replayed = replay(false);

        List<Map<String, Object>> frames = replayed.table("frames");
        assertThat(frames).extracting(f -> f.get("frame")).containsExactly(0L, 1L, 3L);
        assertThat(frames)
                .extracting(f -> f.get("is_complete"))
                .containsExactly(false, false, false);
        assertThat(frames.get(1))
                .containsEntry("duration_ns", 200L)
                .containsEntry("alloc_calls", 3L)
                .containsEntry("alloc_bytes", 30L)
                .containsEntry("free_bytes", 30L)
                .containsEntry("live_bytes", 70L)
                // Thread 1's 10 bytes were in the lost mark, and it has not changed since.
                .containsEntry("adjusted_live_bytes", 10L);
        assertThat(replayed.last("sessions")).containsEntry("gaps", 1L).containsEntry("frames", 3L);
    }
}
