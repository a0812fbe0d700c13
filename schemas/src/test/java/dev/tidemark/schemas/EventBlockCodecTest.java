package dev.tidemark.schemas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericArray;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.junit.jupiter.api.Test;

/** Our codec against Avro's own reader and writer, which share no code with it. */
final class EventBlockCodecTest {
    private static final Schema SCHEMA = TraceSchemas.CURRENT;
    private static final Schema BLOCK = dev.tidemark.schemas.avro.EventBlock.getClassSchema();

    private final TraceEncoder encoder = new TraceEncoder();
    private final TraceDecoder decoder = new TraceDecoder(new SchemaCatalog());

    @Test
    void avroReadsEveryColumnOfWhatWeWrite() throws IOException {
        GenericRecord block = payload(encoder.encode(Samples.SESSION, 9, 4, Samples.everyKind()));

        assertThat(block.get("first_event")).isEqualTo(100L);
        assertThat(block.get("first_block")).isEqualTo(40L);
        assertThat(block.get("first_time_ns")).isEqualTo(5_000L);
        assertThat(block.get("live_bytes")).isEqualTo(1_234L);
        assertThat(block.get("live_blocks")).isEqualTo(7L);
        assertThat(block.get("dropped_before")).isEqualTo(3L);
        assertThat(block.get("time_inversions")).isEqualTo(2L);
        int none = 16; // bit 4: no block returned
        assertThat(longs(block, "operation"))
                .containsExactly(
                        1L,
                        2L,
                        3L + 32,
                        4L + none,
                        5L,
                        5L,
                        5L + none,
                        5L + none,
                        9L + none,
                        11L + none,
                        6L + none,
                        7L + none,
                        6L + none,
                        8L + none,
                        12L + none,
                        13L + none,
                        10L + none);
        assertThat(longs(block, "thread")).containsExactly(0L, 1L, 0L, 2L, 0L);
        assertThat(longs(block, "thread_run")).containsExactly(2L, 6L, 3L, 5L, 1L);
        assertThat(longs(block, "time_delta_ns"))
                .containsExactly(
                        0L, 10L, 10L, 0L, 11L, 1L, 1L, 1L, 6L, 0L, 1L, 1L, 1L, 1L, 1L, 1L, 1L);
        assertThat(longs(block, "duration_ns"))
                .containsExactly(
                        61L, 62L, 63L, 64L, 65L, 66L, 67L, 68L, 0L, 0L, 69L, 70L, 71L, 0L, 0L, 72L,
                        0L);
        assertThat(longs(block, "size_bytes"))
                .containsExactly(101L, 103L, 107L, Long.MAX_VALUE, 109L, 113L, 127L, 0L);
        assertThat(longs(block, "alignment_bytes")).containsExactly(64L);
        // Blocks made before each: 43 of block 41; none; 45 of 43; 45 of 44; 45 of 0; unknown;
        // preexisting; 45 of 42.
        assertThat(longs(block, "release")).containsExactly(2L, 0L, 2L, 1L, 45L, -1L, -2L, 3L);
        assertThat((List<?>) block.get("name"))
                .map(Object::toString)
                .containsExactly("battle", "players");
        assertThat((List<?>) block.get("value")).isEqualTo(List.of(3.5));
        assertThat(longs(block, "returned_bytes")).containsExactly(131_072L);
    }

    @Test
    void writesFirstWritesForEachBlockMadeAndSwitchesForEachMark() throws IOException {
        GenericRecord block = payload(encoder.encode(Samples.SESSION, 9, 4, Samples.replayed()));

        assertThat(longs(block, "first_write_ns")).containsExactly(311L, 0L, 313L);
        assertThat(longs(block, "involuntary_switches")).containsExactly(3L, 5L);
        assertThat(block.get("is_dropping")).isEqualTo(true);
        EventColumns read = decode(encoder.encode(Samples.SESSION, 9, 4, Samples.replayed()));
        assertSame(read, Samples.replayed());
        assertThat(read.firstWriteNs(5)).isEqualTo(313);
        assertThat(read.involuntarySwitches(7)).isEqualTo(5);
    }

    @Test
    void aLiveBlockHasNeitherFirstWritesNorSwitches() throws IOException {
        byte[] bytes = encoder.encode(Samples.SESSION, 9, 4, Samples.everyKind());
        GenericRecord block = payload(bytes);

        assertThat(longs(block, "first_write_ns")).isEmpty();
        assertThat(longs(block, "involuntary_switches")).isEmpty();
        assertThat(block.get("is_dropping")).isEqualTo(false);
        EventColumns read = decode(encoder.encode(Samples.SESSION, 9, 4, Samples.replayed()));
        decoder.readEvents(decoder.readEnvelope(bytes), read);
        assertThat(read.isFirstWriteTimed()).isFalse();
        assertThat(read.areSwitchesCounted()).isFalse();
        assertThat(read.isDropping()).isFalse();
        assertThat(read.firstWriteNs(0)).isZero();
    }

    @Test
    void saysFirstWritesOnlyOfBlocksAndSwitchesOnlyAtMarks() {
        EventColumns events = new EventColumns();
        events.begin(0, 0, 0, 0, 0, 0);
        events.addRelease(Operation.FREE, 0, 1, 1, EventColumns.UNKNOWN_BLOCK);
        assertThatThrownBy(() -> events.addFirstWrite(1)).isInstanceOf(IllegalStateException.class);
        events.addPhase(0, 2, "battle");
        assertThatThrownBy(() -> events.addInvoluntarySwitches(1))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void readsBackWhatItWrote() throws IOException {
        EventColumns read = decode(encoder.encode(Samples.SESSION, 9, 4, Samples.everyKind()));

        assertSame(read, Samples.everyKind());
        assertThat(read.made(2)).isEqualTo(42);
        assertThat(read.made(3)).isEqualTo(EventColumns.NO_BLOCK);
        assertThat(read.nextBlock()).isEqualTo(45);
        assertThat(read.name(9)).isEqualTo("battle");
        assertThat(read.released(9)).isEqualTo(EventColumns.NO_BLOCK);
        assertThat(read.value(14)).isEqualTo(3.5);
        assertThat(read.sizeBytes(14)).isZero();
        assertThat(read.returnedBytes(15)).isEqualTo(131_072);
        assertThat(read.sizeBytes(15)).isZero();
    }

    @Test
    void agreesWithAvroOnRandomBlocks() throws IOException {
        for (int seed = 0; seed < 300; seed++) {
            EventColumns events = Samples.random(new Random(seed));
            byte[] ours = encoder.encode(Samples.SESSION, seed, seed, events);
            assertSame(decode(ours), events);
            assertThat(byAvro(fromBytes(ours))).as("seed %s", seed).isEqualTo(ours);
        }
    }

    @Test
    void readsArraysInSeveralPartsWithByteSizes() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(TraceSchemas.header(TraceSchemas.CURRENT_FINGERPRINT));
        // Avro's blocking encoder writes parts with negative counts and sizes.
        BinaryEncoder avro =
                new EncoderFactory().configureBlockSize(64).blockingBinaryEncoder(bytes, null);
        GenericRecord record =
                fromBytes(encoder.encode(Samples.SESSION, 9, 4, Samples.everyKind()));
        new GenericDatumWriter<GenericRecord>(SCHEMA).write(record, avro);
        avro.flush();

        assertSame(decode(bytes.toByteArray()), Samples.everyKind());
    }

    @Test
    void aTrimOfARecordingThatMeasuredNoneGaveBackNoKnownBytes() throws IOException {
        GenericRecord record =
                fromBytes(encoder.encode(Samples.SESSION, 9, 4, Samples.everyKind()));
        ((GenericRecord) record.get("payload")).put("returned_bytes", List.of());

        EventColumns read = decode(byAvro(record));

        assertThat(read.operation(15)).isEqualTo(Operation.TRIM);
        assertThat(read.returnedBytes(15)).isEqualTo(EventColumns.UNKNOWN_BYTES);
    }

    @Test
    void anEmptyBlockSpeaksForATime() throws IOException {
        EventColumns events = new EventColumns();
        events.begin(5, 4, 777, 99, 1, 12);
        EventColumns read = decode(encoder.encode(Samples.SESSION, 0, 0, events));
        assertThat(read.size()).isZero();
        assertThat(read.firstTimeNs()).isEqualTo(777);
        assertThat(read.droppedBefore()).isEqualTo(12);
    }

    @Test
    void refusesColumnsThatDoNotFitTogether() throws IOException {
        assertRefused("duration_ns", List.of(1L), "column duration_ns has 1 entries for 17 events");
        assertRefused(
                "time_delta_ns", List.of(), "column time_delta_ns has 0 entries for 17 events");
        assertRefused("thread_run", List.of(17L), "column thread_run has 1 entries for 5 runs");
        assertRefused(
                "thread_run",
                List.of(2L, 6L, 3L, 5L, 2L),
                "column thread_run, entry 4: 2 is not within 1 and 1");
        assertRefused(
                "thread_run",
                List.of(2L, 0L, 9L, 5L, 1L),
                "column thread_run, entry 1: 0 is not within 1 and 15");
        assertRefused(
                "thread_run",
                List.of(2L, 6L, 3L, 6L, 1L),
                "column thread_run has 5 entries for 4 runs used");
        assertRefused(
                "thread",
                List.of(0L, -1L, 0L, 2L, 0L),
                "column thread, entry 1: -1 is not within 0 and 2147483647");
        assertRefused("size_bytes", List.of(1L), "column size_bytes ends after 1 entries");
        assertRefused(
                "release",
                List.of(2L, 0L, 2L, 1L, 46L, -1L, -2L, 3L),
                "column release, entry 4: 46 is not within -2 and 45");
        assertRefused(
                "release",
                List.of(2L, 0L, 2L, 1L, 45L, -3L, -2L, 3L),
                "column release, entry 5: -3");
        assertRefused(
                "alignment_bytes",
                List.of(64L, 8L),
                "column alignment_bytes has 2 entries for 1 events with an alignment");
        assertRefused("name", List.of("battle"), "column name ends after 1 entries");
        assertRefused(
                "name",
                List.of("battle", "players", "x"),
                "column name has 3 entries for 2 named events");
        assertRefused("value", List.of(), "column value ends after 0 entries");
        assertRefused(
                "returned_bytes",
                List.of(1L, 2L),
                "column returned_bytes has 2 entries for 1 trims");
        List<Long> backwards =
                new ArrayList<>(
                        longs(
                                payload(encoder.encode(Samples.SESSION, 0, 0, Samples.everyKind())),
                                "time_delta_ns"));
        backwards.set(3, -1L);
        assertRefused("time_delta_ns", backwards, "column time_delta_ns, entry 3: -1");
        backwards.set(3, Long.MAX_VALUE);
        assertRefused("time_delta_ns", backwards, "time of event 3 overflows");
        assertRefused("operation", List.of(64L), "operation of event 0 is 64");
        // Five blocks are made, and there is a frame and a tick.
        assertRefused("first_write_ns", List.of(1L, 2L), "column first_write_ns ends after 2");
        assertRefused(
                "first_write_ns",
                List.of(1L, 2L, 3L, 4L, 5L, 6L),
                "column first_write_ns has 6 entries for 5 blocks made");
        assertRefused("first_write_ns", List.of(-1L), "column first_write_ns, entry 0: -1");
        assertRefused("involuntary_switches", List.of(1L), "column involuntary_switches ends");
        assertRefused(
                "involuntary_switches",
                List.of(1L, 2L, 3L),
                "column involuntary_switches has 3 entries for 2 marks");
    }

    @Test
    void refusesAHeadFromWhichOrdinalsOverflow() {
        for (boolean isEvent : List.of(true, false)) {
            EventColumns events = new EventColumns();
            events.begin(isEvent ? Long.MAX_VALUE : 0, isEvent ? 0 : Long.MAX_VALUE, 0, 0, 0, 0);
            byte[] bytes = encoder.encode(Samples.SESSION, 9, 4, events);
            assertThatThrownBy(() -> decode(bytes))
                    .isInstanceOf(TraceFormatException.class)
                    .hasMessageContaining(isEvent ? "first_event" : "first_block")
                    .hasMessageContaining("9223372036854775807");
        }
    }

    private void assertRefused(String column, List<?> entries, String message) throws IOException {
        GenericRecord record =
                fromBytes(encoder.encode(Samples.SESSION, 9, 4, Samples.everyKind()));
        GenericRecord block = (GenericRecord) record.get("payload");
        GenericArray<Object> array =
                new GenericData.Array<>(entries.size(), BLOCK.getField(column).schema());
        array.addAll(entries);
        block.put(column, array);
        if (column.equals("operation")) {
            for (String dense : List.of("time_delta_ns", "duration_ns")) {
                block.put(
                        dense,
                        new GenericData.Array<>(BLOCK.getField(dense).schema(), List.of(0L)));
            }
        }
        byte[] bytes = byAvro(record);
        assertThatThrownBy(() -> decode(bytes))
                .isInstanceOf(TraceFormatException.class)
                .hasMessageContaining(message)
                .hasMessageContaining("EventBlock 4 of session " + Samples.SESSION);
    }

    private EventColumns decode(byte[] bytes) throws TraceFormatException {
        EventColumns events = new EventColumns();
        decoder.readEvents(decoder.readEnvelope(bytes), events);
        return events;
    }

    private static GenericRecord fromBytes(byte[] singleObject) throws IOException {
        int length = singleObject.length - TraceSchemas.HEADER_BYTES;
        return new GenericDatumReader<GenericRecord>(SCHEMA)
                .read(
                        null,
                        DecoderFactory.get()
                                .binaryDecoder(
                                        singleObject, TraceSchemas.HEADER_BYTES, length, null));
    }

    private static GenericRecord payload(byte[] singleObject) throws IOException {
        return (GenericRecord) fromBytes(singleObject).get("payload");
    }

    private static byte[] byAvro(GenericRecord record) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(TraceSchemas.header(TraceSchemas.CURRENT_FINGERPRINT));
        BinaryEncoder avro = EncoderFactory.get().binaryEncoder(bytes, null);
        new GenericDatumWriter<GenericRecord>(SCHEMA).write(record, avro);
        avro.flush();
        return bytes.toByteArray();
    }

    @SuppressWarnings("unchecked")
    private static List<Long> longs(GenericRecord block, String column) {
        return (List<Long>) block.get(column);
    }

    static void assertSame(EventColumns actual, EventColumns expected) {
        assertThat(describe(actual)).isEqualTo(describe(expected));
    }

    private static List<String> describe(EventColumns events) {
        List<String> lines = new ArrayList<>();
        lines.add(
                List.of(
                                events.firstEvent(),
                                events.firstBlock(),
                                events.firstTimeNs(),
                                events.liveBytes(),
                                events.liveBlocks(),
                                events.droppedBefore(),
                                events.timeInversions(),
                                events.isDropping(),
                                events.isFirstWriteTimed(),
                                events.areSwitchesCounted(),
                                events.nextBlock())
                        .toString());
        for (int i = 0; i < events.size(); i++) {
            int operation = events.operation(i);
            String name = Operation.isNamed(operation) ? events.name(i) : "";
            double value = operation == Operation.VALUE ? events.value(i) : 0;
            lines.add(
                    Operation.name(operation)
                            + " "
                            + List.of(
                                    events.thread(i),
                                    events.timeNs(i),
                                    events.durationNs(i),
                                    events.sizeBytes(i),
                                    events.alignmentBytes(i),
                                    events.made(i),
                                    events.released(i),
                                    events.returnedBytes(i),
                                    events.firstWriteNs(i),
                                    events.involuntarySwitches(i),
                                    name)
                            + " "
                            + value);
        }
        return lines;
    }
}
