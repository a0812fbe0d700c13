package dev.tidemark.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.schemas.EventColumns;
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

    /** A block of marks and allocations of a byte; dropping goes on all through it, or not. */
    private static EventColumns block(
            long firstEvent, long firstBlock, long firstTimeNs, long dropped, boolean isDropping) {
        EventColumns columns = new EventColumns();
        columns.begin(firstEvent, firstBlock, firstTimeNs, firstBlock, firstBlock, dropped);
        columns.isDropping(isDropping);
        return columns;
    }

    private static void allocate(EventColumns to, long atNs) {
        to.addAllocation(Operation.MALLOC, 0, atNs, 50, 1, 0, true);
    }

    /** Frames end at 100, 200 and so on to 800; events were dropped from 250 to 550. */
    @Test
    void marksAllFramesAndTicksThatADropTouchedAndNoOther() throws Exception {
        EventColumns before = block(0, 0, 50, 0, false);
        allocate(before, 50);
        before.addMark(Operation.FRAME, 0, 100);
        before.addMark(Operation.TICK, 0, 150);
        before.addMark(Operation.FRAME, 0, 200);
        EventColumns during = block(4, 1, 250, 3, true);
        during.addMark(Operation.FRAME, 0, 300);
        during.addMark(Operation.FRAME, 0, 400);
        during.addMark(Operation.TICK, 0, 450);
        allocate(during, 460);
        during.addMark(Operation.FRAME, 0, 500);
        EventColumns after = block(9, 2, 550, 4, false);
        after.addMark(Operation.FRAME, 0, 600);
        after.addMark(Operation.TICK, 0, 650);
        after.addMark(Operation.FRAME, 0, 700);
        after.addMark(Operation.TICK, 0, 750);
        after.addMark(Operation.FRAME, 0, 800);
        TestSession session =
                new TestSession(TestSession.ID, 0)
                        .start(Clock.LIVE)
                        .block(before)
                        .block(during)
                        .block(after);
        Replayed replayed = new Replayed(false);
        for (byte[] record : session.end(900).records()) {
            replayed.accept(List.of(record));
            replayed.restart();
        }

        List<Map<String, Object>> frames = replayed.table("frames");
        assertThat(frames)
                .extracting(f -> f.get("is_complete"))
                .containsExactly(false, true, false, false, false, false, true, true, false);
        // What frame 1 left and a dropped call of frame 2 may have released is not known either.
        assertThat(frames)
                .extracting(f -> f.containsKey("next_frame_blocks"))
                .containsExactly(true, false, false, false, false, true, true, true, true);
        assertThat(replayed.table("ticks"))
                .extracting(t -> t.get("is_complete"))
                .containsExactly(false, false, false, true, false);
        assertThat(replayed.last("sessions"))
                .containsEntry("dropped_events", 7L)
                .containsEntry("gaps", 0L)
                .containsEntry("is_whole_load", true);
    }

    @Test
    void leavesOutTheFrameOfABlockWithoutEventsAllThroughWhichEventsWereDropped() throws Exception {
        EventColumns before = block(0, 0, 100, 0, false);
        before.addMark(Operation.FRAME, 0, 100);
        before.addMark(Operation.FRAME, 0, 200);
        EventColumns after = block(2, 0, 300, 0, false);
        after.addMark(Operation.FRAME, 0, 300);
        after.addMark(Operation.FRAME, 0, 400);
        Replayed replayed =
                new Replayed(false)
                        .accept(
                                new TestSession(TestSession.ID, 0)
                                        .start(Clock.LIVE)
                                        .block(before)
                                        .block(block(2, 0, 250, 0, true))
                                        .block(after)
                                        .end(500)
                                        .records());

        assertThat(replayed.table("frames"))
                .extracting(f -> f.get("is_complete"))
                .containsExactly(false, true, false, true, false);
    }
}
