package dev.tidemark.schemas;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/**
 * Bytes that may be a trace record, from anyone: a record, or {@link TraceFormatException}, and no
 * more memory than a multiple of their number. What decodes means the same when encoded again.
 */
@Timeout(value = 3, unit = TimeUnit.HOURS)
final class TraceFuzzTest {
    private static final int ITERATIONS = Integer.getInteger("fuzz.iterations", 20_000);

    /**
     * An event of three bytes takes eleven columns, each of which may have just doubled; buffers
     * begin with a thousand entries.
     */
    private static final int BYTES_PER_BYTE = 128;

    private static final int BYTES_AT_LEAST = 512 << 10;

    private final SchemaCatalog schemas = new SchemaCatalog();
    private final TraceEncoder encoder = new TraceEncoder();

    @FuzzTest(maxDuration = "6h")
    @EnabledIfEnvironmentVariable(named = "JAZZER_FUZZ", matches = ".+")
    void decodesAnything(byte[] data) throws TraceFormatException {
        decode(data, schemas);
        decode(
                Mutator.splice(TraceSchemas.header(TraceSchemas.CURRENT_FINGERPRINT), 10, 0, data),
                schemas);
    }

    @Test
    void decodesWhatIsDamaged() throws TraceFormatException {
        List<byte[]> whole = whole();
        Random random = new Random(1);
        Mutator mutator = new Mutator(random);
        int decoded = 0;
        for (int i = 0; i < ITERATIONS; i++) {
            byte[] bytes = whole.get(random.nextInt(whole.size()));
            byte[] other = whole.get(random.nextInt(whole.size()));
            // Behind the session id, most of the time, which must be whole for the rest to be read.
            int from = random.nextInt(10) == 0 ? 0 : TraceSchemas.HEADER_BYTES + 37;
            decoded += decode(mutator.damage(bytes, from, other), schemas) ? 1 : 0;
        }
        // Both sides of the reader must have been seen.
        assertThat(decoded).isBetween(ITERATIONS / 50, ITERATIONS / 50 * 49);
    }

    private List<byte[]> whole() {
        List<byte[]> whole = new ArrayList<>();
        whole.add(encoder.encode(Samples.SESSION, 1, 0, Samples.start()));
        whole.add(encoder.encode(Samples.SESSION, 1, 1, Samples.thread(3)));
        whole.add(encoder.encode(Samples.SESSION, 1, 2, Samples.everyKind()));
        whole.add(encoder.encode(Samples.SESSION, 1, 3, Samples.replayed()));
        for (int seed = 0; seed < 8; seed++) {
            whole.add(
                    encoder.encode(
                            Samples.SESSION, 1, 4L + seed, Samples.random(new Random(seed))));
        }
        return whole;
    }

    /** Whether it was a record. */
    static boolean decode(byte[] bytes, SchemaLookup schemas) throws TraceFormatException {
        EventColumns events = new EventColumns();
        Allocated allocated = new Allocated();
        TraceEnvelope record = decode(bytes, schemas, events);
        long most = BYTES_AT_LEAST + (long) BYTES_PER_BYTE * bytes.length;
        if (allocated.bytes() > most) {
            // Maybe classes were loaded, which happens once.
            allocated = new Allocated();
            decode(bytes, schemas, new EventColumns());
            allocated.assertAtMost(most);
        }
        if (record == null) {
            return false;
        }
        byte[] later = new TraceDecoder(schemas).withEpoch(bytes, 7);
        assertThat(new TraceDecoder(schemas).readEnvelope(later).epoch()).isEqualTo(7);
        if (record.isEventBlock()) {
            assertSameWhenEncodedAgain(record, events);
        }
        return true;
    }

    private static @Nullable TraceEnvelope decode(
            byte[] bytes, SchemaLookup schemas, EventColumns events) {
        TraceDecoder decoder = new TraceDecoder(schemas);
        try {
            TraceEnvelope record = decoder.readEnvelope(bytes);
            if (record.isEventBlock()) {
                decoder.readEvents(record, events);
            } else if (record.isKnownPayload()) {
                decoder.readPayload(record);
            }
            return record;
        } catch (TraceFormatException e) {
            assertThat(e.getMessage()).isNotBlank().doesNotContain("\n");
            return null;
        }
    }

    private static void assertSameWhenEncodedAgain(TraceEnvelope record, EventColumns events)
            throws TraceFormatException {
        byte[] again =
                new TraceEncoder().encode(record.sessionId(), record.epoch(), record.seq(), events);
        TraceDecoder decoder = new TraceDecoder(new SchemaCatalog());
        EventColumns same = new EventColumns();
        decoder.readEvents(decoder.readEnvelope(again), same);
        EventBlockCodecTest.assertSame(same, events);
        assertThat(events.nextBlock()).isGreaterThanOrEqualTo(events.firstBlock());
    }
}
