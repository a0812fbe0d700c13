package dev.tidemark.schemas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.avro.file.CodecFactory;
import org.apache.avro.file.DataFileReader;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RecordingTest {
    private static final int RECORDS = 12;

    @TempDir Path folder;

    private final TraceEncoder encoder = new TraceEncoder();
    private final List<byte[]> records = new ArrayList<>();
    private Path recording = Path.of("unset");

    @BeforeEach
    void writeARecording() throws IOException {
        recording = folder.resolve("sample.trace.avro");
        try (RecordingWriter writer = new RecordingWriter(recording)) {
            for (int seq = 0; seq < RECORDS; seq++) {
                byte[] record = record(seq);
                records.add(record);
                writer.append(record);
                writer.flush(); // a block of its own for each record
            }
        }
    }

    @Test
    void readsBackEveryRecord() throws IOException {
        Reading reading = read(recording);
        assertThat(reading.records).containsExactlyElementsOf(records);
        assertThat(reading.damage).isEmpty();
    }

    @Test
    void avroReadsTheFileToo() throws IOException {
        try (DataFileReader<GenericRecord> avro =
                new DataFileReader<>(recording.toFile(), new GenericDatumReader<>())) {
            List<Object> seqs = new ArrayList<>();
            avro.forEach(record -> seqs.add(record.get("seq")));
            assertThat(seqs).hasSize(RECORDS).endsWith((long) RECORDS - 1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "deflate", "zstandard"})
    void readsManyRecordsABlockAsAvroWritesThem(String codec) throws IOException {
        Path other = folder.resolve("other.avro");
        try (DataFileWriter<Object> avro =
                new DataFileWriter<>(new GenericDatumWriter<>(TraceSchemas.CURRENT))) {
            avro.setCodec(CodecFactory.fromString(codec));
            avro.create(TraceSchemas.CURRENT, other.toFile());
            for (byte[] record : records) {
                avro.appendEncoded(
                        ByteBuffer.wrap(
                                record,
                                TraceSchemas.HEADER_BYTES,
                                record.length - TraceSchemas.HEADER_BYTES));
            }
        }
        assertThat(read(other).records).containsExactlyElementsOf(records);
    }

    @Test
    void keepsEveryWholeRecordWhenCutAtAnyByteOfItsLastBlock() throws IOException {
        byte[] whole = Files.readAllBytes(recording);
        int lastBlock = blockOffsets(whole).get(RECORDS - 1);
        for (int length = lastBlock + 1; length < whole.length; length++) {
            Path cut = Files.write(folder.resolve("cut.avro"), Arrays.copyOf(whole, length));
            Reading reading = read(cut);
            assertThat(reading.records)
                    .as("cut at %s", length)
                    .containsExactlyElementsOf(records.subList(0, RECORDS - 1));
            assertThat(reading.damage)
                    .singleElement()
                    .asString()
                    .startsWith(cut + ": block at byte " + lastBlock + ": ");
        }
    }

    @Test
    void losesOnlyTheBlockThatIsDamaged() throws IOException {
        byte[] whole = Files.readAllBytes(recording);
        List<Integer> blocks = blockOffsets(whole);
        List<byte[]> withoutTheFifth = new ArrayList<>(records);
        withoutTheFifth.remove(5);
        for (int at = blocks.get(5); at < blocks.get(6); at += at < blocks.get(5) + 20 ? 1 : 13) {
            byte[] damaged = whole.clone();
            damaged[at] ^= (byte) 0xff;
            Reading reading = read(Files.write(folder.resolve("damaged.avro"), damaged));
            assertThat(reading.damage).as("damage at %s", at).isNotEmpty();
            assertThat(reading.records)
                    .as("damage at %s", at)
                    .containsSubsequence(withoutTheFifth.subList(0, 5));
            assertThat(reading.records)
                    .as("damage at %s", at)
                    .containsSubsequence(withoutTheFifth.subList(6, RECORDS - 1));
        }
    }

    @Test
    void survivesAnyDamageAnywhere() throws IOException {
        byte[] whole = Files.readAllBytes(recording);
        for (int seed = 0; seed < 500; seed++) {
            Random random = new Random(seed);
            byte[] damaged =
                    Arrays.copyOf(
                            whole,
                            random.nextInt(4) == 0 ? random.nextInt(whole.length) : whole.length);
            for (int i = random.nextInt(5); i >= 0 && damaged.length > 0; i--) {
                damaged[
                                random.nextInt(
                                        random.nextBoolean()
                                                ? damaged.length
                                                : Math.min(40, damaged.length))] =
                        (byte) random.nextInt();
            }
            Path file = Files.write(folder.resolve("fuzz.avro"), damaged);
            try {
                assertThat(read(file).records.size()).isLessThanOrEqualTo(RECORDS);
            } catch (TraceFormatException e) {
                assertThat(e.getMessage()).startsWith(file.toString()).doesNotContain("\n");
            }
        }
    }

    @Test
    void refusesWhatIsNoRecording() throws IOException {
        assertRefused(new byte[0], "not a recording: it is empty");
        assertRefused(
                "GIF89a".getBytes(java.nio.charset.StandardCharsets.UTF_8),
                "it does not begin with Obj1");
        assertRefused(new byte[] {'O', 'b', 'j'}, "it does not begin with Obj1");
        assertRefused(
                new byte[] {'O', 'b', 'j', 1},
                "header: at byte 4: a number needs 1 bytes, but 0 are left");
        // One metadata entry whose key has 2^62 bytes.
        byte[] absurd = {
            'O', 'b', 'j', 1, 2, -128, -128, -128, -128, -128, -128, -128, -128, -128, 1
        };
        assertRefused(absurd, "header: ");
        // One metadata entry with a line break for a key and a value of -1 bytes.
        assertRefused(
                new byte[] {'O', 'b', 'j', 1, 2, 2, '\n', 1},
                "header: before byte 8: a metadata value has the length -1, below 0");
        byte[] whole = Files.readAllBytes(recording);
        assertRefused(
                Arrays.copyOf(whole, blockOffsets(whole).get(0) - 3), "before the sync marker");
    }

    @Test
    void refusesAnAvroFileOfSomethingElse() throws IOException {
        Path other = folder.resolve("other.avro");
        try (DataFileWriter<Object> avro = new DataFileWriter<>(new GenericDatumWriter<>())) {
            avro.create(dev.tidemark.schemas.avro.ThreadInfo.getClassSchema(), other.toFile());
        }
        assertThatThrownBy(() -> read(other))
                .hasMessage(
                        other
                                + ": header: schema dev.tidemark.schemas.avro.ThreadInfo is no trace record: it needs the fields"
                                + " session_id string, epoch long, seq long and payload union");
    }

    @Test
    void refusesAnAbsurdBlockLengthAndGoesOn() throws IOException {
        byte[] whole = Files.readAllBytes(recording);
        int first = blockOffsets(whole).get(0);
        byte[] damaged = whole.clone();
        // One record in 2^40 bytes, over the first block's head.
        byte[] head = {2, -128, -128, -128, -128, -128, 64};
        System.arraycopy(head, 0, damaged, first, head.length);
        Reading reading = read(Files.write(folder.resolve("absurd.avro"), damaged));
        assertThat(reading.damage).hasSize(1);
        assertThat(reading.records).containsExactlyElementsOf(records.subList(1, RECORDS));
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void refusesASchemaWhoseEmptyRecordsAddUpToMoreThanCanBeWalked() throws IOException {
        // Each record has two of the next: 2^40 empty ones, in no bytes at all.
        StringBuilder doubled = new StringBuilder("{'type':'record','name':'R40','fields':[]}");
        for (int i = 39; i >= 0; i--) {
            doubled.insert(0, "{'type':'record','name':'R" + i + "','fields':[{'name':'a','type':");
            doubled.append("},{'name':'b','type':'R").append(i + 1).append("'}]}");
        }
        Path file = withPayload(doubled.toString());
        assertThat(read(file).damage)
                .singleElement()
                .asString()
                .startsWith(file + ": block before byte ")
                .contains("values without bytes");
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void refusesAnArrayOfNothings() throws IOException {
        Path file =
                withPayload(
                        "{'type':'record','name':'R','fields':[{'name':'a','type':"
                                + "{'type':'array','items':'null'}}]}");
        assertThat(read(file).damage).singleElement().asString().contains("values without bytes");
    }

    @Test
    void readsOnAfterManyMarkersInLittleMemory() throws IOException {
        byte[] whole = Files.readAllBytes(recording);
        int blocks = blockOffsets(whole).get(0);
        byte[] sync = Arrays.copyOfRange(whole, blocks - 16, blocks);
        byte[] markers = Arrays.copyOf(whole, blocks + 16 * 20_000);
        for (int at = blocks; at < markers.length; at += 16) {
            System.arraycopy(sync, 0, markers, at, 16);
        }
        Path file = Files.write(folder.resolve("markers.avro"), markers);
        Allocated allocated = new Allocated();
        assertThat(read(file).records).isEmpty();
        // A line for each of 20,000 damages is most of it.
        allocated.assertAtMost(20_000L * 10_000);
    }

    @Test
    void believesNoSizeThatThePackedBytesCannotHave() throws IOException {
        byte[] whole = Files.readAllBytes(recording);
        int first = blockOffsets(whole).get(0);
        byte[] header = Arrays.copyOf(whole, first);
        byte[] sync = Arrays.copyOfRange(whole, first - 16, first);
        // A zstd frame of one segment that says it has 63 MiB, and then one raw byte.
        byte[] frame = {
            0x28, (byte) 0xb5, 0x2f, (byte) 0xfd, (byte) 0xa0, 0, 0, (byte) 0xf0, 3, 9, 0, 0, 7
        };
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(header);
        bytes.writeBytes(new byte[] {2, (byte) (2 * frame.length)});
        bytes.writeBytes(frame);
        bytes.writeBytes(sync);
        Path file = Files.write(folder.resolve("big.avro"), bytes.toByteArray());
        Allocated allocated = new Allocated();
        assertThat(read(file).damage).hasSize(1);
        allocated.assertAtMost(8 << 20);
    }

    /**
     * A recording of one record with a payload of this type, of bytes that make it long to walk.
     */
    private Path withPayload(String type) throws IOException {
        String schema =
                "{'type':'record','name':'TraceRecord','fields':[{'name':'session_id','type':'string'},"
                        + "{'name':'epoch','type':'long'},{'name':'seq','type':'long'},"
                        + "{'name':'payload','type':["
                        + type
                        + "]}]}";
        AvroBuffer record = new AvroBuffer();
        record.writeString(Samples.SESSION);
        record.writeLong(1);
        record.writeLong(0);
        record.writeLong(0);
        for (int part = 0; part < 20_000; part++) {
            record.writeLong(20_000); // so many nothings
        }
        record.writeLong(0);
        AvroBuffer file = new AvroBuffer();
        file.writeBytes(new byte[] {'O', 'b', 'j', 1}, 0, 4);
        file.writeLong(1);
        file.writeString("avro.schema");
        file.writeString(schema.replace('\'', '"'));
        file.endArray();
        byte[] sync = new byte[16];
        file.writeBytes(sync, 0, 16);
        file.writeLong(1);
        file.writeLong(record.size());
        file.writeBytes(record.toByteArray(), 0, record.size());
        file.writeBytes(sync, 0, 16);
        return Files.write(folder.resolve("payload.avro"), file.toByteArray());
    }

    /** The last one is short, since a test cuts it at every byte. */
    private byte[] record(int seq) {
        if (seq == 0) {
            return encoder.encode(Samples.SESSION, 1, 0, Samples.start());
        }
        EventColumns events =
                seq == RECORDS - 1 ? Samples.everyKind() : Samples.random(new Random(seq));
        return encoder.encode(Samples.SESSION, 1, seq, events);
    }

    private void assertRefused(byte[] bytes, String message) throws IOException {
        Path file = Files.write(folder.resolve("bad.avro"), bytes);
        assertThatThrownBy(() -> read(file))
                .isInstanceOf(TraceFormatException.class)
                .hasMessageContaining(message);
    }

    private static Reading read(Path file) throws IOException {
        Reading reading = new Reading(new ArrayList<>(), new ArrayList<>());
        try (RecordingReader reader = new RecordingReader(file, new SchemaCatalog())) {
            while (true) {
                try {
                    byte[] record = reader.next();
                    if (record == null) {
                        return reading;
                    }
                    reading.records.add(record);
                } catch (TraceFormatException e) {
                    reading.damage.add(e.getMessage());
                }
            }
        }
    }

    /** Where blocks begin: behind each sync marker, which is the file's last 16 bytes. */
    private static List<Integer> blockOffsets(byte[] file) {
        byte[] sync = Arrays.copyOfRange(file, file.length - 16, file.length);
        List<Integer> offsets = new ArrayList<>();
        for (int i = 0; i + 16 < file.length; i++) {
            if (Arrays.equals(file, i, i + 16, sync, 0, 16)) {
                offsets.add(i + 16);
            }
        }
        assertThat(offsets).hasSize(RECORDS);
        return offsets;
    }

    private record Reading(List<byte[]> records, List<String> damage) {}
}
