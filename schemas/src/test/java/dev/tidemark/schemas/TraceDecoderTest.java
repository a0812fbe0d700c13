package dev.tidemark.schemas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.schemas.avro.EndReason;
import dev.tidemark.schemas.avro.SessionEnd;
import dev.tidemark.schemas.avro.SessionStart;
import dev.tidemark.schemas.avro.ThreadInfo;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.junit.jupiter.api.Test;

final class TraceDecoderTest {
    private static final String OTHER_SESSION = "01900000-0000-7000-8000-00000000000f";

    private final TraceEncoder encoder = new TraceEncoder();
    private final SchemaCatalog catalog = new SchemaCatalog();
    private final TraceDecoder decoder = new TraceDecoder(catalog);

    @Test
    void readsTheEnvelopeAndThePayload() throws IOException {
        TraceEnvelope record =
                decoder.readEnvelope(encoder.encode(Samples.SESSION, 12, 3, Samples.start()));

        assertThat(record.sessionId()).isEqualTo(Samples.SESSION);
        assertThat(record.epoch()).isEqualTo(12);
        assertThat(record.seq()).isEqualTo(3);
        assertThat(record.payloadName()).isEqualTo("SessionStart");
        assertThat(record.isEventBlock()).isFalse();
        assertThat(decoder.readPayload(record)).isEqualTo(Samples.start());
    }

    @Test
    void setsAnotherEpochAndNothingElse() throws IOException {
        byte[] record = encoder.encode(Samples.SESSION, 1, 3, Samples.everyKind());
        byte[] expected =
                encoder.encode(Samples.SESSION, 1_700_000_000_000L, 3, Samples.everyKind());
        assertThat(decoder.withEpoch(record, 1_700_000_000_000L)).isEqualTo(expected);
    }

    @Test
    void setsTheEpochOfARecordThatANewerAgentWrote() throws IOException {
        Schema newer = newerSchema();
        catalog.add(newer.toString());
        byte[] record = newerRecord(newer, "Screenshot");

        TraceEnvelope read = decoder.readEnvelope(decoder.withEpoch(record, 77));
        assertThat(read.epoch()).isEqualTo(77);
        assertThat(read.seq()).isEqualTo(5);
    }

    @Test
    void refusesASessionIdThatIsNoUuid() {
        for (String id :
                new String[] {
                    "../../x", "", "01900000-0000-7000-8000-00000000000F", "x".repeat(1000), "a\nb"
                }) {
            byte[] record = encoder.encode(id, 0, 0, Samples.thread(1));
            assertThatThrownBy(() -> decoder.readEnvelope(record))
                    .isInstanceOf(TraceFormatException.class)
                    .hasMessageStartingWith("session_id is \"")
                    .hasMessageNotContaining("\n");
        }
    }

    @Test
    void refusesNumbersBelowZero() {
        byte[] record = encoder.encode(Samples.SESSION, 0, -1, Samples.thread(1));
        assertThatThrownBy(() -> decoder.readEnvelope(record))
                .hasMessageContaining("epoch 0, seq -1");
    }

    @Test
    void refusesGarbageAndUnknownSchemas() {
        assertThatThrownBy(() -> decoder.readEnvelope(new byte[0]))
                .hasMessageContaining("0 bytes that don't begin with");
        assertThatThrownBy(
                        () ->
                                decoder.readEnvelope(
                                        "hello, world"
                                                .getBytes(java.nio.charset.StandardCharsets.UTF_8)))
                .hasMessageContaining("12 bytes that don't begin with Avro's marker");
        byte[] record = encoder.encode(Samples.SESSION, 0, 0, Samples.thread(1));
        ByteBuffer.wrap(record).order(ByteOrder.LITTLE_ENDIAN).putLong(2, 0xabcL);
        assertThatThrownBy(() -> decoder.readEnvelope(record))
                .hasMessage("schema 0000000000000abc is not in tidemark.schemas");
    }

    @Test
    void refusesWhatIsLeftOver() throws IOException {
        byte[] record = encoder.encode(Samples.SESSION, 0, 0, Samples.thread(1));
        TraceEnvelope longer = decoder.readEnvelope(Arrays.copyOf(record, record.length + 2));
        assertThatThrownBy(() -> decoder.readPayload(longer))
                .hasMessageContaining("2 bytes are left over");
        byte[] block = encoder.encode(Samples.SESSION, 0, 0, Samples.everyKind());
        TraceEnvelope longerBlock = decoder.readEnvelope(Arrays.copyOf(block, block.length + 2));
        assertThatThrownBy(() -> decoder.readEvents(longerBlock, new EventColumns()))
                .hasMessageContaining("2 bytes are left over");
    }

    @Test
    void refusesEveryCutRecord() {
        byte[][] records = {
            encoder.encode(Samples.SESSION, 1, 2, Samples.everyKind()),
            encoder.encode(Samples.SESSION, 1, 2, Samples.start())
        };
        for (byte[] whole : records) {
            for (int length = 0; length < whole.length; length++) {
                byte[] cut = Arrays.copyOf(whole, length);
                assertThatThrownBy(() -> readAll(cut))
                        .as("cut at %s", length)
                        .isInstanceOf(TraceFormatException.class);
            }
        }
    }

    @Test
    void survivesDamageWithoutLargeAllocations() {
        com.sun.management.ThreadMXBean threads =
                (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        int refused = 0;
        for (int seed = 0; seed < 20_000; seed++) {
            Random random = new Random(seed);
            byte[] record =
                    random.nextBoolean()
                            ? encoder.encode(Samples.SESSION, 1, 2, Samples.everyKind())
                            : encoder.encode(Samples.SESSION, 1, 2, Samples.start());
            for (int i = 1 + random.nextInt(4); i > 0; i--) {
                record[
                                TraceSchemas.HEADER_BYTES
                                        + random.nextInt(
                                                record.length - TraceSchemas.HEADER_BYTES)] =
                        (byte) random.nextInt();
            }
            long before = threads.getCurrentThreadAllocatedBytes();
            try {
                readAll(record);
            } catch (TraceFormatException e) {
                refused++;
                assertThat(e.getMessage()).doesNotContain("\n");
            }
            assertThat(threads.getCurrentThreadAllocatedBytes() - before)
                    .as("seed %s", seed)
                    .isLessThan(4 << 20);
        }
        assertThat(refused).isGreaterThan(1_000);
    }

    @Test
    void skipsAPayloadThatItDoesNotKnow() throws IOException {
        Schema newer = newerSchema();
        catalog.add(newer.toString());

        TraceEnvelope record = decoder.readEnvelope(newerRecord(newer, "Screenshot"));
        assertThat(record.isKnownPayload()).isFalse();
        assertThat(record.payloadName()).isEqualTo("Screenshot");
        assertThat(record.sessionId()).isEqualTo(OTHER_SESSION);
        assertThat(record.seq()).isEqualTo(5);
    }

    @Test
    void readsWhatANewerAgentAdded() throws IOException {
        Schema newer = newerSchema();
        catalog.add(newer.toString());

        ThreadInfo thread =
                (ThreadInfo)
                        decoder.readPayload(decoder.readEnvelope(newerRecord(newer, "ThreadInfo")));
        assertThat(thread).isEqualTo(new ThreadInfo(7, "main"));
        SessionEnd end =
                (SessionEnd)
                        decoder.readPayload(decoder.readEnvelope(newerRecord(newer, "SessionEnd")));
        assertThat(end.getReason())
                .as("a reason that it does not know")
                .isEqualTo(EndReason.UNKNOWN);
        EventColumns events = new EventColumns();
        decoder.readEvents(decoder.readEnvelope(newerRecord(newer, "EventBlock")), events);
        EventBlockCodecTest.assertSame(events, Samples.everyKind());
    }

    @Test
    void refusesASchemaThatIsNoTraceRecord() {
        assertThatThrownBy(() -> catalog.add("{")).hasMessageStartingWith("not an Avro schema: ");
        assertThatThrownBy(() -> catalog.add("\"string\""))
                .hasMessageContaining("is no trace record");
        assertThatThrownBy(() -> catalog.add(SessionStart.getClassSchema().toString()))
                .hasMessageContaining("is no trace record");
    }

    private void readAll(byte[] bytes) throws TraceFormatException {
        TraceEnvelope record = decoder.readEnvelope(bytes);
        if (record.isEventBlock()) {
            decoder.readEvents(record, new EventColumns());
        } else {
            decoder.readPayload(record);
        }
    }

    /**
     * A later version: a field before the payload and one behind, a payload more, a field more in
     * two payloads, a symbol more.
     */
    private static Schema newerSchema() {
        String json =
                TraceSchemas.CURRENT
                        .toString()
                        .replace(
                                "{\"name\":\"epoch\"",
                                "{\"name\":\"region\",\"type\":\"string\"},{\"name\":\"epoch\"")
                        .replace(
                                "\"symbols\":[\"UNKNOWN\",\"EXIT\"",
                                "\"symbols\":[\"UNKNOWN\",\"EXIT\",\"MOVED\"")
                        .replace(
                                "{\"name\":\"thread\",\"type\":\"int\",\"doc\":\"Dense",
                                "{\"name\":\"core\",\"type\":\"int\"},{\"name\":\"thread\",\"type\":\"int\",\"doc\":\"Dense")
                        .replace(
                                "{\"type\":\"record\",\"name\":\"SessionEnd\"",
                                "{\"type\":\"record\",\"name\":\"Screenshot\",\"fields\":[{\"name\":\"png\",\"type\":\"bytes\"}]},{\"type\":\"record\",\"name\":\"SessionEnd\"");
        Schema schema = new Schema.Parser().parse(json);
        assertThat(schema.getField("region")).isNotNull();
        return schema;
    }

    private byte[] newerRecord(Schema newer, String payloadName) throws IOException {
        Schema branch =
                newer.getField("payload").schema().getTypes().stream()
                        .filter(type -> type.getName().equals(payloadName))
                        .findFirst()
                        .orElseThrow();
        GenericRecord payload =
                switch (payloadName) {
                    case "Screenshot" ->
                            record(branch, "png", ByteBuffer.wrap(new byte[] {1, 2, 3}));
                    case "ThreadInfo" -> record(branch, "core", 1, "thread", 7, "name", "main");
                    case "SessionEnd" -> {
                        Schema reason = branch.getField("reason").schema();
                        yield record(
                                branch,
                                "at_ns",
                                9L,
                                "reason",
                                new GenericData.EnumSymbol(reason, "MOVED"),
                                "events_sent",
                                1L,
                                "events_dropped",
                                0L);
                    }
                    default ->
                            new org.apache.avro.generic.GenericDatumReader<GenericRecord>(branch)
                                    .read(null, bodyOfEveryKind());
                };
        GenericRecord record =
                record(
                        newer,
                        "session_id",
                        OTHER_SESSION,
                        "region",
                        "eu",
                        "epoch",
                        1L,
                        "seq",
                        5L,
                        "payload",
                        payload);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(TraceSchemas.header(SchemaNormalization.parsingFingerprint64(newer)));
        BinaryEncoder avro = EncoderFactory.get().binaryEncoder(bytes, null);
        new GenericDatumWriter<GenericRecord>(newer).write(record, avro);
        avro.flush();
        return bytes.toByteArray();
    }

    private org.apache.avro.io.Decoder bodyOfEveryKind() throws TraceFormatException {
        TraceEnvelope record =
                decoder.readEnvelope(encoder.encode(OTHER_SESSION, 1, 5, Samples.everyKind()));
        return org.apache.avro.io.DecoderFactory.get()
                .binaryDecoder(
                        record.bytes(),
                        record.payloadOffset(),
                        record.payloadLimit() - record.payloadOffset(),
                        null);
    }

    private static GenericRecord record(Schema schema, Object... fields) {
        GenericRecord record = new GenericData.Record(schema);
        for (int i = 0; i < fields.length; i += 2) {
            record.put((String) fields[i], fields[i + 1]);
        }
        return record;
    }
}
