package dev.tidemark.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.schemas.Operation;
import dev.tidemark.schemas.avro.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a hole in the stream costs, and what it doesn't. */
class ReplayGapTest {
    private static final int FRAME = Operation.FRAME;

    /** Records 0 start, 1 to 4 blocks, 5 a sample, 6 a block, 7 the end. */
    private static List<byte[]> records() {
        return new TestSession(TestSession.ID, 0)
                .start(Clock.LIVE)
                .block(
                        List.of(
                                TestEvent.malloc(0, 10, 100), // block 0
                                TestEvent.mark(FRAME, 0, 20),
                                TestEvent.malloc(0, 30, 200), // block 1
                                TestEvent.mark(FRAME, 0, 40)))
                .block(
                        List.of(
                                TestEvent.malloc(0, 50, 400), // block 2
                                TestEvent.free(0, 55, 1),
                                TestEvent.malloc(0, 60, 800))) // block 3
                .block(List.of(TestEvent.malloc(0, 70, 1600), TestEvent.mark(FRAME, 0, 80)))
                .block(List.of(TestEvent.free(0, 90, 2), TestEvent.mark(FRAME, 0, 100)))
                .sample(105, 1, 1)
                .block(List.of(TestEvent.free(0, 110, 0), TestEvent.mark(FRAME, 0, 120)))
                .end(200)
                .records();
    }

    private static Replayed without(int missing) throws Exception {
        List<byte[]> records = new ArrayList<>(records());
        byte[] end = records.get(7);
        records.remove(missing);
        Replayed replayed = new Replayed(false).accept(records);
        if (missing == 7) {
            return replayed;
        }
        assertThat(replayed.session.isOpen()).isTrue();
        // The hole is given up when the end has waited for 30 s by the broker's clock.
        replayed.accept(end, Replayed.BROKER_MS + RecordSequencer.MAX_HELD_MS);
        assertThat(replayed.session.isOpen()).isFalse();
        return replayed;
    }

    private static void assertIdentity(List<Map<String, Object>> frames) {
        long live = 0;
        for (Map<String, Object> frame : frames) {
            live += (Long) frame.getOrDefault("alloc_bytes", 0L);
            live -= (Long) frame.getOrDefault("free_bytes", 0L);
            live += (Long) frame.getOrDefault("adjusted_live_bytes", 0L);
            assertThat(frame).containsEntry("live_bytes", live);
        }
    }

    @Test
    void anchorsAnewBehindAMissingBlock() throws Exception {
        Replayed replayed = without(2);

        List<Map<String, Object>> frames = replayed.table("frames");
        assertIdentity(frames);
        assertThat(frames)
                .extracting(f -> f.get("is_complete"))
                .containsExactly(false, true, false, true, true, false);
        // 100 + 400 + 800 live at the head instead of 300, and block 4 of 1600 made in what is
        // left.
        assertThat(frames.get(2))
                .containsEntry("adjusted_live_bytes", 1300L - 300)
                .containsEntry("alloc_bytes", 1600L)
                .containsEntry("live_bytes", 2900L)
                .containsEntry("live_blocks", 4L)
                .containsEntry("peak_live_bytes", 2900L);
        // What frame 2 released of frame 1's can't be known, what frame 1 did itself can.
        assertThat(frames.get(1))
                .containsEntry("same_frame_blocks", 0L)
                .containsEntry("alloc_bytes", 200L)
                .doesNotContainKeys("next_frame_blocks", "next_frame_bytes", "double_buffer_bytes");
        assertThat(frames.get(0)).containsKey("next_frame_blocks");
        assertThat(replayed.last("sessions"))
                .containsEntry("gaps", 1L)
                .containsEntry("is_whole_load", false)
                .containsEntry("end_live_bytes", 800L + 1600)
                .containsEntry("end_live_blocks", 2L);
        assertThat(replayed.count(ReplayCount.MISSING_RECORDS)).isEqualTo(1);
    }

    @Test
    void countsAReleaseOfABlockFromAHoleAsUnknownAndAdjustsAtTheNextHead() throws Exception {
        Replayed replayed = without(2);

        // Block 2 of 400 bytes was made in the hole and released in frame 3.
        List<Map<String, Object>> frames = replayed.table("frames");
        assertThat(frames.get(3))
                .containsEntry("free_calls", 1L)
                .containsEntry("free_bytes", 0L)
                .containsEntry("live_bytes", 2900L)
                .containsEntry("live_blocks", 3L);
        assertThat(frames.get(4))
                .containsEntry("adjusted_live_bytes", -400L)
                .containsEntry("is_complete", true);
        assertThat(replayed.last("sessions"))
                .containsEntry("unknown_frees", 1L)
                .containsEntry("adjusted_live_bytes", 1000L - 400);
    }

    @Test
    void losesNoFrameToAMissingMemorySample() throws Exception {
        Replayed replayed = without(5);

        List<Map<String, Object>> frames = replayed.table("frames");
        assertThat(frames)
                .extracting(f -> f.get("is_complete"))
                .containsExactly(false, true, true, true, true, false);
        assertThat(frames).allSatisfy(f -> assertThat(f).containsKey("next_frame_blocks"));
        assertThat(replayed.last("sessions"))
                .containsEntry("gaps", 1L)
                .containsEntry("adjusted_live_bytes", 0L)
                .containsEntry("is_whole_load", false);
    }

    @Test
    void knowsAtTheEndThatTheLastBlockIsMissing() throws Exception {
        Replayed replayed = without(6);

        List<Map<String, Object>> frames = replayed.table("frames");
        assertThat(frames).hasSize(5);
        assertThat(frames.get(3)).doesNotContainKey("next_frame_blocks");
        assertThat(frames.get(2)).containsKey("next_frame_blocks");
        assertThat(replayed.last("sessions")).containsEntry("gaps", 1L);
    }

    @Test
    void replaysASessionWhoseStartIsMissing() throws Exception {
        Replayed replayed = without(0);

        assertThat(replayed.last("sessions"))
                .doesNotContainKeys("title", "started_at", "ended_at")
                .containsEntry("state", "closed")
                .containsEntry("is_whole_load", false)
                .containsEntry("frames", 6L);
        assertThat(replayed.rows.get(0).day()).isEqualTo((int) (Replayed.BROKER_MS / 86_400_000));
    }

    @Test
    void marksTheFrameInWhichTheSenderDroppedEvents() throws Exception {
        Replayed replayed =
                new Replayed(false)
                        .accept(
                                new TestSession(TestSession.ID, 0)
                                        .start(Clock.LIVE)
                                        .block(
                                                List.of(
                                                        TestEvent.mark(FRAME, 0, 10),
                                                        TestEvent.mark(FRAME, 0, 20)))
                                        .block(
                                                List.of(
                                                        TestEvent.mark(FRAME, 0, 30),
                                                        TestEvent.mark(FRAME, 0, 40)),
                                                17)
                                        .end()
                                        .records());

        assertThat(replayed.table("frames"))
                .extracting(f -> f.get("is_complete"))
                .containsExactly(false, true, false, true, false);
        assertThat(replayed.last("sessions"))
                .containsEntry("dropped_events", 17L)
                .containsEntry("gaps", 0L)
                .containsEntry("is_whole_load", true);
    }
}
