package dev.tidemark.ingest.replayer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.schemas.Operation;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Plans as the C side reads them: replayer/test/golden.c prints them with the C structs. */
final class ReplayPlanTest {
    @TempDir Path folder;

    private final WrittenRecording recording = new WrittenRecording();

    private ReplayPlan plan() throws Exception {
        return ReplayPlan.of(
                recording.write(folder.resolve("r.trace.avro")), folder.resolve("plan"));
    }

    private String asC() throws Exception {
        return Native.run(Native.build("golden").toString(), "read", plan().file().toString());
    }

    @Test
    void laysOutEachThreadsCallsWithTheirSlotsSpansAndWaits() throws Exception {
        long first = recording.malloc(0, 1_000_000, 100);
        recording.frame(0, 1_010_000);
        long second = recording.make(Operation.NEW, 0, 1_015_000, 30, 64);
        recording.free(0, 1_020_000, first);
        long third = recording.malloc(0, 1_050_000, 200);
        recording.fail(Operation.MALLOC, 0, 1_051_000, Long.MAX_VALUE);
        long fourth = recording.resize(1, 1_060_000, third, 300);
        recording.release(Operation.DELETE, 0, 1_061_000, second);
        recording.tick(1, 1_100_000);
        recording.malloc(0, 1_105_000, 0);
        assertThat(fourth).isEqualTo(3);

        // Slots: thread 0 has at most 3 blocks live (1, 2, 4 after the resize ended 3) and one that
        // thread 1 resizes; thread 1 has one. Frame 1 begins at 10,000; times are since 1 ms. The
        // stack has to hold 30 bytes aligned to 64: 64, and 48 to get there.
        assertThat(asC().lines())
                .containsExactly(
                        "version 1, header 256, threads 2, marks 2, operations 17, calls 8, stretches 4, slots 4, leftovers 2, duration 105000, peak 330",
                        "alloc 4, free 2, realloc 1, failed 1, bytes +630 -330",
                        "thread 0: ends 0, call 0+7, stretch 0+3, from 0 to 105000, arena 112, double 112",
                        "  kind 18, align 0, flags 8, slot 0, size 0",
                        "  kind 1, align 0, flags 4, slot 0, size 100",
                        "  kind 19, align 0, flags 0, slot 0, size 10000",
                        "  kind 18, align 0, flags 24, slot 1, size 10000",
                        "  kind 4, align 6, flags 6, slot 1, size 30",
                        "  kind 7, align 0, flags 4, slot 0, size 100",
                        "  kind 17, align 0, flags 0, slot 0, size 50000",
                        "  kind 1, align 0, flags 0, slot 2, size 200",
                        "  kind 1, align 0, flags 1, slot -1, size 9223372036854775807",
                        "  kind 8, align 6, flags 6, slot 1, size 30",
                        "  kind 18, align 0, flags 16, slot 2, size 105000",
                        "  kind 1, align 0, flags 0, slot 1, size 0",
                        "  left 1",
                        "thread 1: ends 0, call 7+1, stretch 3+1, from 60000 to 100000, arena 0, double 0",
                        "  kind 18, align 0, flags 24, slot 1, size 60000",
                        "  kind 16, align 0, flags 0, slot 2, size 0",
                        "  kind 5, align 0, flags 0, slot 3, size 300",
                        "  kind 6, align 0, flags 0, slot 2, size 200",
                        "  kind 19, align 0, flags 0, slot 1, size 100000",
                        "  left 3",
                        "mark at 10000 by 0, kind 0",
                        "mark at 100000 by 1, kind 1");
    }

    @Test
    void saysWhatTheRecordingAddsUpTo() throws Exception {
        long block = recording.malloc(0, 1_000, 100);
        recording.failToResize(0, 2_000, block, Long.MAX_VALUE);
        recording.resize(0, 3_000, -1, 50);
        recording.free(0, 4_000, -2);
        recording.free(0, 5_000, block);

        ReplayPlan plan = plan();

        assertThat(plan.totals()).isEqualTo(new CallTotals(2, 1, 0, 1, 150, 100));
        assertThat(plan.peakLiveBytes()).isEqualTo(150);
        assertThat(plan.durationNs()).isEqualTo(4_000);
        assertThat(plan.notes())
                .containsExactly(
                        "one thread: nothing is released by another, and nothing contends",
                        "no frames or ticks: only profiled rounds carry its calls",
                        "1 releases of blocks that the recording did not see made are left out");
    }

    @Test
    void refusesARecordingWithoutCalls() {
        recording.frame(0, 1_000);

        assertThatThrownBy(this::plan)
                .isInstanceOf(ReplayException.class)
                .hasMessage(
                        folder.resolve("r.trace.avro")
                                + ": it has no calls to replay; record a program that allocates while it runs");
    }

    @Test
    void refusesAFileThatIsNoRecording() throws Exception {
        Path file = folder.resolve("text");
        java.nio.file.Files.writeString(file, "no recording");

        assertThatThrownBy(() -> ReplayPlan.of(file, folder.resolve("plan")))
                .isInstanceOf(ReplayException.class)
                .hasMessageStartingWith(file + ": not a recording: ");
    }
}
