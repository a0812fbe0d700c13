package dev.tidemark.ingest.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.ingest.sink.RecordingSink;
import dev.tidemark.ingest.sink.TraceSink;
import dev.tidemark.schemas.RecordingReader;
import dev.tidemark.schemas.RecordingWriter;
import dev.tidemark.schemas.SchemaCatalog;
import dev.tidemark.schemas.TraceDecoder;
import dev.tidemark.schemas.TraceEncoder;
import dev.tidemark.schemas.TraceEnvelope;
import dev.tidemark.schemas.TraceFormatException;
import dev.tidemark.schemas.TraceSchemas;
import dev.tidemark.schemas.avro.ThreadInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RecordingIngestTest {
    private static final String FIRST = "01890000-0000-7000-8000-000000000001";
    private static final String SECOND = "01890000-0000-7000-8000-000000000002";

    /** Keeps what it is sent. */
    private static final class Kept implements TraceSink {
        final List<String> sent = new ArrayList<>();
        final List<byte[]> records = new ArrayList<>();
        final List<Schema> schemas = new ArrayList<>();

        @Override
        public void send(String sessionId, String type, byte[] record) {
            sent.add(type + " " + sessionId.charAt(35));
            records.add(record);
        }

        @Override
        public void publishSchema(Schema schema) {
            schemas.add(schema);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    @TempDir Path folder;

    private final Kept kept = new Kept();
    private final TraceEncoder encoder = new TraceEncoder();

    @Test
    void sendsEachRecordAsItWasInANewEpoch() throws Exception {
        Path file = recording("a", FIRST, 3);

        long before = System.currentTimeMillis();
        RecordingIngest.Result result =
                RecordingIngest.send(List.of(file, recording("b", SECOND, 1)), kept, n -> {});

        assertThat(kept.sent)
                .containsExactly("ThreadInfo 1", "ThreadInfo 1", "ThreadInfo 1", "ThreadInfo 2");
        assertThat(result.records()).isEqualTo(4);
        assertThat(result.sessionIds()).containsExactlyInAnyOrder(FIRST, SECOND);
        assertThat(result.errors()).isEmpty();
        assertThat(kept.schemas).isEmpty();
        TraceDecoder decoder = new TraceDecoder(new SchemaCatalog());
        for (int seq = 0; seq < 3; seq++) {
            TraceEnvelope head = decoder.readEnvelope(kept.records.get(seq));
            assertThat(head.seq()).isEqualTo(seq);
            assertThat(head.epoch()).isGreaterThanOrEqualTo(before);
            assertThat(kept.records.get(seq))
                    .isEqualTo(
                            encoder.encode(
                                    FIRST, head.epoch(), seq, new ThreadInfo(seq, "thread" + seq)));
        }
    }

    @Test
    void sendsWhatLiesBeforeAndBehindDamageAndTellsIt() throws Exception {
        Path file = folder.resolve("damaged.trace.avro");
        List<Long> blockEnds = new ArrayList<>();
        try (RecordingWriter writer = new RecordingWriter(file)) {
            for (int seq = 0; seq < 3; seq++) {
                writer.append(encoder.encode(FIRST, 1, seq, new ThreadInfo(seq, "t")));
                writer.flush();
                blockEnds.add(Files.size(file));
            }
        }
        byte[] bytes = Files.readAllBytes(file);
        bytes[(int) (blockEnds.get(0) + blockEnds.get(1)) / 2] ^= 0x55;
        Files.write(file, bytes);

        RecordingIngest.Result result = RecordingIngest.send(List.of(file), kept, n -> {});

        assertThat(seqs()).containsExactly(0L, 2L);
        assertThat(result.damages()).isEqualTo(1);
        assertThat(result.errors())
                .singleElement()
                .asString()
                .startsWith(file.toString())
                .contains("byte " + blockEnds.get(0))
                .doesNotContain("\n");
    }

    @Test
    void refusesWhatIsNoRecordingInOneLine() throws Exception {
        Path text = Files.writeString(folder.resolve("notes.txt"), "not a recording");
        Path empty = Files.createFile(folder.resolve("empty.trace.avro"));

        for (Path file : List.of(text, empty)) {
            assertThatThrownBy(() -> RecordingIngest.send(List.of(file), kept, n -> {}))
                    .isInstanceOf(TraceFormatException.class)
                    .hasMessageStartingWith(file.toString())
                    .hasMessageNotContaining("\n");
        }
        assertThat(kept.records).isEmpty();
    }

    @Test
    void publishesAForeignSchemaBeforeItsRecords() throws Exception {
        Schema foreign = foreignSchema();
        Path file = folder.resolve("foreign.trace.avro");
        try (DataFileWriter<GenericRecord> writer =
                new DataFileWriter<>(new GenericDatumWriter<>(foreign))) {
            writer.create(foreign, file.toFile());
            writer.append(
                    new GenericRecordBuilder(foreign)
                            .set("session_id", FIRST)
                            .set("epoch", 1L)
                            .set("seq", 0L)
                            .set(
                                    "payload",
                                    new GenericRecordBuilder(
                                                    foreign.getField("payload")
                                                            .schema()
                                                            .getTypes()
                                                            .get(0))
                                            .set("what", "ever")
                                            .build())
                            .build());
        }

        RecordingIngest.send(List.of(file), kept, n -> {});

        assertThat(kept.schemas).containsExactly(foreign);
        assertThat(kept.sent).containsExactly("NewThing 1");
        assertThatThrownBy(
                        () -> {
                            try (RecordingSink sink =
                                    new RecordingSink(folder.resolve("out.trace.avro"))) {
                                RecordingIngest.send(List.of(file), sink, n -> {});
                            }
                        })
                .isInstanceOf(IOException.class)
                .hasMessageContaining("one schema");
    }

    private static Schema foreignSchema() {
        Schema thing =
                SchemaBuilder.record("NewThing")
                        .namespace("dev.tidemark.schemas.avro")
                        .fields()
                        .requiredString("what")
                        .endRecord();
        return SchemaBuilder.record("TraceRecord")
                .namespace("dev.tidemark.schemas.avro")
                .fields()
                .requiredString("session_id")
                .requiredLong("epoch")
                .requiredLong("seq")
                .name("payload")
                .type(Schema.createUnion(thing))
                .noDefault()
                .endRecord();
    }

    private List<Long> seqs() throws IOException {
        TraceDecoder decoder = new TraceDecoder(new SchemaCatalog());
        List<Long> seqs = new ArrayList<>();
        for (byte[] record : kept.records) {
            seqs.add(decoder.readEnvelope(record).seq());
        }
        return seqs;
    }

    private Path recording(String name, String session, int records) throws IOException {
        Path file = folder.resolve(name + ".trace.avro");
        try (RecordingSink sink = new RecordingSink(file)) {
            for (int seq = 0; seq < records; seq++) {
                sink.send(
                        session,
                        "ThreadInfo",
                        encoder.encode(session, 1, seq, new ThreadInfo(seq, "thread" + seq)));
            }
        }
        try (RecordingReader reader = new RecordingReader(file, new SchemaCatalog())) {
            assertThat(reader.fingerprint()).isEqualTo(TraceSchemas.CURRENT_FINGERPRINT);
        }
        return file;
    }
}
