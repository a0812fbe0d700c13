package dev.tidemark.schemas;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.apache.avro.file.CodecFactory;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericDatumWriter;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/**
 * Files that may be recordings, from anyone: records, and a line for each damage, to the end, and
 * no more memory than a multiple of the file's size and of the largest block.
 */
@Timeout(value = 3, unit = TimeUnit.HOURS)
final class RecordingFuzzTest {
    private static final int ITERATIONS = Integer.getInteger("fuzz.iterations", 2_000);
    private static final int BYTES_PER_BYTE = 64;
    private static final int BYTES_AT_LEAST = 16 << 20; // classes that are loaded at first
    private static final int SYNC_BYTES = 16;
    private static final byte[] SYNC = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final Pattern WORD = Pattern.compile("\"\\w+\"|[{}\\[\\],:]|\\d+");

    private final Path file;

    RecordingFuzzTest() throws IOException {
        file = Files.createTempFile("tidemark-fuzz", ".trace.avro");
        file.toFile().deleteOnExit();
    }

    /** The first byte says how much is whole: nothing, or the header with one codec or another. */
    @FuzzTest(maxDuration = "6h")
    @EnabledIfEnvironmentVariable(named = "JAZZER_FUZZ", matches = ".+")
    void readsAnything(byte[] data) throws IOException {
        int whole = data.length == 0 ? 0 : data[0] & 3;
        byte[] rest = data.length == 0 ? data : Arrays.copyOfRange(data, 1, data.length);
        read(
                switch (whole) {
                    case 0 -> rest;
                    case 1 -> withHeader("null", rest);
                    case 2 -> withHeader("zstandard", rest);
                    default -> withHeader("deflate", rest);
                });
    }

    @Test
    void readsWhatIsDamaged() throws IOException {
        List<byte[]> whole = new ArrayList<>();
        for (String codec : List.of("null", "null", "zstandard", "deflate")) {
            whole.add(recording(codec));
        }
        Random random = new Random(2);
        Mutator mutator = new Mutator(random);
        for (int i = 0; i < ITERATIONS; i++) {
            byte[] bytes = whole.get(random.nextInt(whole.size()));
            byte[] other = whole.get(random.nextInt(whole.size()));
            int blocks = bytes.length - lengthOfBlocks(bytes);
            read(mutator.damage(bytes, random.nextInt(4) == 0 ? 0 : blocks, other));
        }
    }

    @Test
    void readsWithASchemaThatIsDamaged() throws IOException {
        byte[] bytes = recording("null");
        int blocks = bytes.length - lengthOfBlocks(bytes);
        Random random = new Random(3);
        int opened = 0;
        for (int i = 0; i < ITERATIONS / 2; i++) { // a schema takes long to parse
            byte[] header = header("null", damagedSchema(random));
            opened += read(Mutator.splice(bytes, 0, blocks, header)) ? 1 : 0;
        }
        assertThat(opened).isGreaterThan(ITERATIONS / 100);
    }

    /** Words of the schema changed for others of it, left out or doubled. */
    private static String damagedSchema(Random random) {
        String json = TraceSchemas.CURRENT.toString();
        List<MatchResult> words = WORD.matcher(json).results().toList();
        for (int i = random.nextInt(3); i >= 0; i--) {
            MatchResult word = words.get(random.nextInt(words.size()));
            String other = words.get(random.nextInt(words.size())).group();
            String by =
                    switch (random.nextInt(8)) {
                        case 0 -> "";
                        case 1 -> word.group() + word.group();
                        case 2, 3 -> "\"null\"";
                        case 4 -> "\"TraceRecord\"";
                        case 5 -> "9999999999999999999";
                        default -> other;
                    };
            // From its place in the whole text; an earlier change may have moved it, which is fine.
            int at = Math.min(word.start(), json.length());
            int end = Math.min(word.end(), json.length());
            json = json.substring(0, at) + by + json.substring(end);
        }
        return json;
    }

    /** Whether it was opened. */
    private boolean read(byte[] bytes) throws IOException {
        Files.write(file, bytes);
        SchemaCatalog schemas = new SchemaCatalog();
        long most = BYTES_AT_LEAST + (long) BYTES_PER_BYTE * bytes.length;
        Allocated allocated = new Allocated();
        try (RecordingReader reader = new RecordingReader(file, schemas)) {
            byte @Nullable [] record = new byte[0];
            for (long calls = 0; record != null; calls++) {
                // Every record and every damage takes a byte at least.
                assertThat(calls).isLessThan(RecordingReader.MAX_BLOCK_BYTES);
                try {
                    record = reader.next();
                } catch (TraceFormatException e) {
                    assertLine(e);
                }
                allocated.assertAtMost(most);
                if (record != null && record.length > 0) {
                    TraceFuzzTest.decode(record, schemas);
                }
                allocated = new Allocated();
            }
            return true;
        } catch (TraceFormatException e) {
            assertLine(e);
            allocated.assertAtMost(most);
            return false;
        }
    }

    private void assertLine(TraceFormatException e) {
        assertThat(e.getMessage())
                .startsWith(file.toString())
                .doesNotContain("\n")
                .hasSizeLessThan(file.toString().length() + 400);
    }

    private static byte[] withHeader(String codec, byte[] blocks) {
        byte[] header = header(codec, TraceSchemas.CURRENT.toString());
        return Mutator.splice(header, header.length, 0, blocks);
    }

    /** A container file's head, as the Avro specification has it. */
    private static byte[] header(String codec, String schema) {
        AvroBuffer out = new AvroBuffer();
        out.writeBytes(new byte[] {'O', 'b', 'j', 1}, 0, 4);
        out.writeLong(2);
        out.writeString("avro.schema");
        out.writeString(schema);
        out.writeString("avro.codec");
        out.writeString(codec);
        out.endArray();
        out.writeBytes(SYNC, 0, SYNC_BYTES);
        return out.toByteArray();
    }

    /** Six small records in three blocks, as Avro writes them. */
    private static byte[] recording(String codec) throws IOException {
        TraceEncoder encoder = new TraceEncoder();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataFileWriter<Object> avro =
                new DataFileWriter<>(new GenericDatumWriter<>(TraceSchemas.CURRENT))) {
            avro.setCodec(CodecFactory.fromString(codec));
            avro.create(TraceSchemas.CURRENT, bytes, SYNC);
            for (int seq = 0; seq < 6; seq++) {
                byte[] record =
                        switch (seq) {
                            case 0 -> encoder.encode(Samples.SESSION, 1, 0, Samples.start());
                            case 1 -> encoder.encode(Samples.SESSION, 1, 1, Samples.thread(1));
                            case 2 -> encoder.encode(Samples.SESSION, 1, 2, Samples.everyKind());
                            case 3 -> encoder.encode(Samples.SESSION, 1, 3, Samples.replayed());
                            default ->
                                    encoder.encode(
                                            Samples.SESSION,
                                            1,
                                            seq,
                                            Samples.random(new Random(seq)));
                        };
                avro.appendEncoded(
                        ByteBuffer.wrap(
                                record,
                                TraceSchemas.HEADER_BYTES,
                                record.length - TraceSchemas.HEADER_BYTES));
                if (seq % 2 == 1) {
                    avro.sync();
                }
            }
        }
        return bytes.toByteArray();
    }

    /** Bytes behind the header, which ends with the first sync marker. */
    private static int lengthOfBlocks(byte[] recording) {
        for (int at = 0; ; at++) {
            if (Arrays.equals(recording, at, at + SYNC_BYTES, SYNC, 0, SYNC_BYTES)) {
                return recording.length - at - SYNC_BYTES;
            }
        }
    }
}
