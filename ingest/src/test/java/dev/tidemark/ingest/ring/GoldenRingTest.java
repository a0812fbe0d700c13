package dev.tidemark.ingest.ring;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Reads what recorder/test/golden.c wrote with the C structs, which gave every field a number of
 * its own.
 */
final class GoldenRingTest {
    @TempDir Path folder;

    private RingFile file;

    @BeforeEach
    void open() throws Exception {
        Path copy = folder.resolve("golden.ring");
        Files.copy(Path.of("target", "native", "golden.ring"), copy);
        file = RingFile.open(copy);
    }

    @Test
    void readsTheHeader() throws Exception {
        assertThat(file.pid()).isEqualTo(4242);
        assertThat(file.processStartTicks()).isEqualTo(987654321);
        assertThat(file.isExited()).isTrue();
        assertThat(file.exitCode()).isEqualTo(3);
        assertThat(file.ringRecords()).isEqualTo(64);
        assertThat(file.ringsUsed()).isEqualTo(2);
        assertThat(file.stampsPerSecond()).isEqualTo(2_500_000_000L);
        assertThat(file.start()).isEqualTo(new Sync(1_000_000, 5_000_000_000L, 5_000_000_100L));
        assertThat(file.sync()).isEqualTo(new Sync(2_501_000_000L, 6_000_000_000L, 6_000_000_100L));
        assertThat(file.startRealtimeNs()).isEqualTo(1_700_000_000_000_000_000L);
        assertThat(file.droppedWithoutRing()).isEqualTo(17);
        assertThat(file.threadsWithoutRing()).isEqualTo(1);
        assertThat(file.childProcesses()).isEqualTo(2);
        assertThat(file.waitedNs()).isEqualTo(12345);
        assertThat(file.touchedBytes()).isEqualTo(32768 + 2 * 8192);
    }

    @Test
    void readsTextsSettingsAndNames() {
        assertThat(file.executable()).isEqualTo("/usr/games/golden");
        assertThat(file.allocator()).isEqualTo("/lib/libc.so.6");
        assertThat(file.childExecutable()).isEqualTo("/bin/sh");
        assertThat(file.settings())
                .containsEntry("TIDEMARK_TITLE", "golden")
                .containsEntry("TIDEMARK_LABELS", "a=b")
                .hasSize(2);
        assertThat(file.name(0)).isEqualTo("battle");
        assertThat(file.name(5)).isEqualTo("players");
        assertThat(file.name(1)).isEqualTo("unnamed");
        assertThat(file.name(RecordDescriptor.NAME_NONE)).isEqualTo("unnamed");
    }

    @Test
    void readsRings() throws Exception {
        Ring first = file.ring(0);
        assertThat(first.owner()).isEqualTo(1);
        assertThat(first.tid()).isEqualTo(4242);
        assertThat(first.inflight()).isEqualTo(1_009_000);
        assertThat(first.tail()).isEqualTo(128);
        assertThat(first.head()).isEqualTo(128 + 17);
        assertThat(first.droppedUntold()).isEqualTo(2);
        assertThat(file.ring(1).tail()).isEqualTo(62);
        assertThat(file.ring(1).head()).isEqualTo(68);
    }

    @Test
    void readsRecordsAcrossTheWrap() throws Exception {
        long[] words = new long[6 * RecordDescriptor.WORDS];
        file.ring(1).copy(62, 6, words, 0);
        assertThat(RecordDescriptor.operation(words[1])).isEqualTo(RecordDescriptor.THREAD);
        assertThat(words[3]).isEqualTo(4243);
        int last = 5 * RecordDescriptor.WORDS;
        assertThat(words[last]).isEqualTo(1_000_790);
        assertThat(RecordDescriptor.operation(words[last + 1])).isEqualTo(RecordDescriptor.FREE);
        assertThat(RecordDescriptor.duration(words[last + 1])).isEqualTo(10);
        assertThat(words[last + 2]).isEqualTo(0x7f0000003000L);
    }

    @Test
    void placesAllocationsByTheirReturnAndReleasesByTheirBegin() throws Exception {
        long[] words = new long[17 * RecordDescriptor.WORDS];
        file.ring(0).copy(128, 17, words, 0);
        assertThat(file.ring(0).keyAt(130)).isEqualTo(1_000_150); // malloc
        assertThat(file.ring(0).keyAt(134)).isEqualTo(1_000_500); // realloc from
        assertThat(file.ring(0).keyAt(135)).isEqualTo(1_000_590); // realloc
        assertThat(file.ring(0).keyAt(138)).isEqualTo(1_000_700); // free
        int aligned = 4 * RecordDescriptor.WORDS;
        assertThat(RecordDescriptor.alignmentBytes(words[aligned + 1])).isEqualTo(64);
        int failed = 9 * RecordDescriptor.WORDS;
        assertThat(RecordDescriptor.isFailed(words[failed + 1])).isTrue();
        int longest = 16 * RecordDescriptor.WORDS;
        assertThat(RecordDescriptor.duration(words[longest + 1]))
                .isEqualTo(RecordDescriptor.DURATION_MAX);
    }
}
