package dev.tidemark.ingest.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.tidemark.ingest.agent.ServedOnce;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Files that are none, are cut, or lie: one line or a session, never a crash, a hang or a flood.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class HostileRingTest {
    private static final int RINGS_AT = 32768;

    @TempDir Path folder;

    private static byte[] golden() throws IOException {
        return Files.readAllBytes(Path.of("target", "native", "golden.ring"));
    }

    private Path written(byte[] bytes) throws IOException {
        return Files.write(folder.resolve("4242-00000000000000ff.ring"), bytes);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 8, TIDEMARK",
        "8, 4, version",
        "12, 4, header_bytes",
        "24, 4, pid",
        "40, 4, clock",
        "56, 4, ring_count",
        "60, 4, ring_records",
        "64, 8, rings_offset",
        "72, 8, ring_stride",
        "80, 8, stamps_per_second",
        "88, 8, start_stamp"
    })
    void namesTheFieldThatIsWrong(int at, int bytes, String field) throws Exception {
        for (byte fill : new byte[] {(byte) 0xff, 0x7f}) {
            byte[] broken = golden();
            Arrays.fill(broken, at, at + bytes, fill);
            Path file = written(broken);
            assertThatThrownBy(() -> RingFile.open(file).close())
                    .isInstanceOf(RingFormatException.class)
                    .hasMessageStartingWith(file.toString())
                    .hasMessageContaining(field)
                    .hasMessageNotContaining("\n");
        }
    }

    @Test
    void refusesAFileCutAnywhere() throws Exception {
        byte[] whole = golden();
        for (int length : new int[] {0, 1, 7, 8, 4095, 32767, 32768, 40960, whole.length - 1}) {
            Path file = written(Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> RingFile.open(file).close())
                    .isInstanceOf(RingFormatException.class)
                    .hasMessageStartingWith(file.toString())
                    .hasMessageContaining(Integer.toString(length));
        }
    }

    @Test
    void refusesWhatIsNoRegularFile() throws Exception {
        Path link = folder.resolve("1-00000000000000ff.ring");
        Files.createSymbolicLink(link, written(golden()));
        assertThatThrownBy(() -> RingFile.open(link)).isInstanceOf(RingFormatException.class);
        assertThatThrownBy(() -> RingFile.open(folder)).isInstanceOf(RingFormatException.class);
    }

    @Test
    void aFileCutUnderItsMappingsIsAnErrorAndNoCrash() throws Exception {
        Path path = written(golden());
        try (RingFile file = RingFile.open(path)) {
            Ring ring = file.ring(1);
            try (RandomAccessFile cut = new RandomAccessFile(path.toFile(), "rw")) {
                cut.setLength(RINGS_AT);
            }
            assertThatThrownBy(file::checkLength)
                    .isInstanceOf(RingFormatException.class)
                    .hasMessageContaining("cut");
            assertThatThrownBy(
                            () -> {
                                for (int i = 0; i < 100_000; i++) {
                                    ring.head();
                                }
                            })
                    .isInstanceOf(InternalError.class);
        }
    }

    @Test
    void survivesRandomDamage() throws Exception {
        Random random = new Random(20_240_607);
        byte[] whole = golden();
        int refused = 0;
        for (int round = 0; round < 400; round++) {
            byte[] damaged = whole.clone();
            for (int i = random.nextInt(12); i >= 0; i--) {
                ByteBuffer words = ByteBuffer.wrap(damaged).order(ByteOrder.LITTLE_ENDIAN);
                int at = random.nextInt(damaged.length / 8) * 8;
                at = random.nextInt(3) == 0 ? random.nextInt(48) * 8 : at;
                at = random.nextInt(3) == 0 ? RINGS_AT + random.nextInt(2048) * 8 : at;
                long value = random.nextInt(4) == 0 ? random.nextInt(100) : random.nextLong();
                words.putLong(Math.min(at, damaged.length - 8), value);
            }
            refused += serve(damaged);
        }
        // Most damage hits what is not looked at; enough of it must have been noticed.
        assertThat(refused).isBetween(20, 380);
    }

    @FuzzTest(maxDuration = "30s")
    void survivesAnything(byte[] data) throws Exception {
        Path own = Files.createTempDirectory("tidemark-fuzz");
        folder = own;
        try {
            byte[] file = golden();
            // Pairs of place and value, so that a fuzzer gets behind the header.
            ByteBuffer from = ByteBuffer.wrap(data).order(ByteOrder.LITTLE_ENDIAN);
            while (from.remaining() >= 10) {
                int at = Short.toUnsignedInt(from.getShort()) % (file.length / 8) * 8;
                ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).putLong(at, from.getLong());
            }
            serve(file);
        } finally {
            for (java.io.File left : List.of(own.toFile().listFiles())) {
                Files.delete(left.toPath());
            }
            Files.delete(own);
        }
    }

    /** 1 when it was refused, 0 when it became a session. */
    private int serve(byte[] bytes) throws Exception {
        Path file = written(bytes);
        ServedOnce served = ServedOnce.serve(folder);
        Files.deleteIfExists(file);
        for (String line : served.errors()) {
            if (line.contains("\n") || !line.contains("4242-")) {
                fail("no line that names the file: " + line);
            }
        }
        assertThat(served.ended() + served.errors().size()).isPositive();
        return served.errors().isEmpty() ? 0 : 1;
    }
}
