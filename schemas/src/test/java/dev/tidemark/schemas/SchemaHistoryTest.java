package dev.tidemark.schemas;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaCompatibility;
import org.apache.avro.SchemaNormalization;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.util.RandomData;
import org.junit.jupiter.api.Test;

/**
 * Every schema that was ever released stands in {@code schema-history}, numbered in order and never
 * changed. Records written with any of them are read today.
 */
final class SchemaHistoryTest {
    @Test
    void theNewestReleaseIsTheCurrentSchema() throws IOException, URISyntaxException {
        List<Path> history = history();
        Schema newest =
                new Schema.Parser().parse(Files.readString(history.get(history.size() - 1)));
        assertThat(newest)
                .as(
                        "the schema changed: freeze it as the next file of schema-history:%n%s",
                        TraceSchemas.CURRENT)
                .isEqualTo(TraceSchemas.CURRENT);
    }

    @Test
    void readsRecordsOfEveryReleasedSchema() throws IOException, URISyntaxException {
        for (Path file : history()) {
            SchemaCatalog catalog = new SchemaCatalog();
            long fingerprint = catalog.add(Files.readString(file));
            Schema released = new Schema.Parser().parse(Files.readString(file));
            assertThat(
                            SchemaCompatibility.checkReaderWriterCompatibility(
                                            TraceSchemas.CURRENT, released)
                                    .getType())
                    .as(file.toString())
                    .isEqualTo(SchemaCompatibility.SchemaCompatibilityType.COMPATIBLE);
            assertThat(fingerprint).isEqualTo(SchemaNormalization.parsingFingerprint64(released));
            for (Schema branch : released.getField("payload").schema().getTypes()) {
                readsRandomPayloads(new TraceDecoder(catalog), branch, released);
            }
        }
    }

    @Test
    void everyReleasedSchemaReadsRecordsOfToday() throws IOException, URISyntaxException {
        byte[] bytes = new TraceEncoder().encode(Samples.SESSION, 1, 2, Samples.replayed());
        for (Path file : history()) {
            Schema released = new Schema.Parser().parse(Files.readString(file));
            GenericRecord record =
                    new GenericDatumReader<GenericRecord>(TraceSchemas.CURRENT, released)
                            .read(
                                    null,
                                    DecoderFactory.get()
                                            .binaryDecoder(
                                                    bytes,
                                                    TraceSchemas.HEADER_BYTES,
                                                    bytes.length - TraceSchemas.HEADER_BYTES,
                                                    null));
            GenericRecord block = (GenericRecord) record.get("payload");
            assertThat(block.get("size_bytes"))
                    .as(file.toString())
                    .isEqualTo(List.of(4_096L, 1L << 60, 0L, 8_192L));
        }
    }

    private static void readsRandomPayloads(TraceDecoder decoder, Schema branch, Schema released)
            throws IOException {
        for (Object payload : new RandomData(branch, 20, 42L)) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            bytes.writeBytes(
                    TraceSchemas.header(SchemaNormalization.parsingFingerprint64(released)));
            BinaryEncoder avro = EncoderFactory.get().binaryEncoder(bytes, null);
            avro.writeString(Samples.SESSION);
            avro.writeLong(1);
            avro.writeLong(2);
            avro.writeIndex(released.getField("payload").schema().getTypes().indexOf(branch));
            new GenericDatumWriter<>(branch).write(payload, avro);
            avro.flush();
            TraceEnvelope record = decoder.readEnvelope(bytes.toByteArray());
            assertThat(record.payloadName()).isEqualTo(branch.getName());
            assertThat(decoder.readPayload(record)).isNotNull();
        }
    }

    private static List<Path> history() throws IOException, URISyntaxException {
        Path folder =
                Path.of(
                        java.util.Objects.requireNonNull(
                                        SchemaHistoryTest.class.getResource("/schema-history"))
                                .toURI());
        try (Stream<Path> files = Files.list(folder)) {
            List<Path> sorted = files.sorted().toList();
            assertThat(sorted).isNotEmpty();
            return sorted;
        }
    }
}
