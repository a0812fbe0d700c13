package dev.tidemark.ingest.replayer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads what replayer/test/golden.c wrote with the C structs. */
final class ReplayResultTest {
    private static final Path GOLDEN = Native.OUT.resolve("golden.result");

    @TempDir Path folder;

    @Test
    void readsEveryField() throws Exception {
        ReplayResult result = ReplayResult.open(GOLDEN);

        assertThat(result.refusal()).contains("leaks");
        assertThat(result.allocator()).isEqualTo("/lib/libgolden.so");
        assertThat(result.startedRealtimeNs()).isEqualTo(7001);
        assertThat(result.durationNs()).isEqualTo(7002);
        assertThat(result.figure(ResultDescriptor.HEADER_BASELINE_RSS_BYTES)).isEqualTo(7003);
        assertThat(result.figure(ResultDescriptor.HEADER_PEAK_RSS_BYTES)).isEqualTo(7004);
        assertThat(result.figure(ResultDescriptor.HEADER_RETAINED_BYTES)).isEqualTo(-7005);
        assertThat(result.figure(ResultDescriptor.HEADER_RETAINED_1S_BYTES)).isEqualTo(7006);
        assertThat(result.figure(ResultDescriptor.HEADER_RETAINED_5S_BYTES)).isEqualTo(7007);
        assertThat(result.figure(ResultDescriptor.HEADER_RETAINED_15S_BYTES)).isEqualTo(7008);
        assertThat(result.figure(ResultDescriptor.HEADER_RETAINED_AFTER_CALLS_BYTES))
                .isEqualTo(7009);
        assertThat(result.figure(ResultDescriptor.HEADER_RETURN_HALF_NS)).isNull();
        assertThat(result.longestCalls()).isEqualTo(1);
        assertThat(result.threads()).isEqualTo(2);
        assertThat(result.operations(1)).isEqualTo(201);
        assertThat(result.counted(0)).isEqualTo(new CallTotals(102, 103, 104, 105, 106, 107));
        assertThat(result.counted()).isEqualTo(new CallTotals(304, 306, 308, 310, 312, 314));
        assertThat(result.stretches()).isEqualTo(3);
        assertThat(result.allocatorNs(2)).isEqualTo(3003);
        assertThat(result.span(1)).isEqualTo(1);
        assertThat(result.involuntarySwitches(2)).isEqualTo(13);
        assertThat(result.lags()).isEqualTo(2);
        assertThat(result.lagNs(0)).isEqualTo(-5);
        assertThat(result.lagNs(1)).isEqualTo(4002);
        assertThat(result.calls()).isEqualTo(3);
        assertThat(result.callNs(0)).isEqualTo(5001);
        assertThat(result.callNs(2)).isEqualTo(4294967295L);
        assertThat(result.firstWriteNs(0)).isEqualTo(5101);
        assertThat(result.firstWriteNs(2)).isEqualTo(5103);
        assertThat(result.samples()).isEqualTo(1);
        assertThat(result.sample(0, ResultDescriptor.SAMPLE_AT_NS)).isEqualTo(6001);
        assertThat(result.sample(0, ResultDescriptor.SAMPLE_RSS_BYTES)).isEqualTo(6002);
        assertThat(result.sample(0, ResultDescriptor.SAMPLE_MINOR_FAULTS)).isEqualTo(6003);
        assertThat(result.sample(0, ResultDescriptor.SAMPLE_MAJOR_FAULTS)).isEqualTo(6004);
        assertThat(result.sample(0, ResultDescriptor.SAMPLE_INVOLUNTARY_SWITCHES)).isEqualTo(6005);
    }

    @Test
    void refusesACutFile() throws Exception {
        byte[] whole = Files.readAllBytes(GOLDEN);
        Path cut = folder.resolve("cut");
        Files.write(cut, Arrays.copyOf(whole, whole.length - 1));
        Path empty = Files.createFile(folder.resolve("empty"));

        assertThatThrownBy(() -> ReplayResult.open(cut))
                .hasMessage(cut + ": no result of version 1, or a cut one");
        assertThatThrownBy(() -> ReplayResult.open(empty))
                .hasMessage(empty + ": 0 bytes, fewer than a header's 1024");
    }
}
