package dev.tidemark.schemas;

import dev.tidemark.schemas.avro.EventBlock;
import dev.tidemark.schemas.avro.TraceRecord;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Locale;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;

/**
 * The stream's schema as this build writes it, and Avro's single-object header: two marker bytes,
 * then the schema's CRC-64-AVRO fingerprint, little-endian (Avro specification, "Single-object
 * encoding").
 */
public final class TraceSchemas {
    /** Kafka topic of live sessions. */
    public static final String TRACE_TOPIC = "tidemark.trace";

    /** Kafka topic of imports and benches; the same records. */
    public static final String BULK_TOPIC = "tidemark.bulk";

    /**
     * Compacted Kafka topic: {@link #fingerprintKey} to the schema's JSON, written before the
     * schema's first use.
     */
    public static final String SCHEMAS_TOPIC = "tidemark.schemas";

    /** Kafka topic of records that could not be read, each with its place and the reason. */
    public static final String DEAD_LETTER_TOPIC = "tidemark.dead-letter";

    /** Kafka header that names a record's payload in UTF-8, so that readers can skip bodies. */
    public static final String TYPE_HEADER = "type";

    /** Bytes before the body in the single-object encoding. */
    public static final int HEADER_BYTES = 10;

    /** The schema that this build writes. */
    public static final Schema CURRENT = TraceRecord.getClassSchema();

    /** Its fingerprint. */
    public static final long CURRENT_FINGERPRINT =
            SchemaNormalization.parsingFingerprint64(CURRENT);

    static final List<Schema> PAYLOADS = CURRENT.getField("payload").schema().getTypes();
    static final String EVENT_BLOCK = EventBlock.getClassSchema().getName();

    private static final byte MARKER_0 = (byte) 0xC3;
    private static final byte MARKER_1 = 0x01;

    private TraceSchemas() {}

    /** A fingerprint as the key of {@link #SCHEMAS_TOPIC}: 16 hexadecimal digits. */
    public static String fingerprintKey(long fingerprint) {
        return String.format(Locale.ROOT, "%016x", fingerprint);
    }

    /** Whether the bytes begin with Avro's single-object marker. */
    static boolean hasMarker(byte[] bytes) {
        return bytes.length >= HEADER_BYTES && bytes[0] == MARKER_0 && bytes[1] == MARKER_1;
    }

    static long fingerprintOf(byte[] singleObject) {
        return ByteBuffer.wrap(singleObject).order(ByteOrder.LITTLE_ENDIAN).getLong(2);
    }

    static byte[] header(long fingerprint) {
        return ByteBuffer.allocate(HEADER_BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(MARKER_0)
                .put(MARKER_1)
                .putLong(fingerprint)
                .array();
    }

    static int branchOf(String payloadName) {
        for (int i = 0; i < PAYLOADS.size(); i++) {
            if (PAYLOADS.get(i).getName().equals(payloadName)) {
                return i;
            }
        }
        throw new IllegalArgumentException(
                payloadName + " is no payload of " + CURRENT.getFullName());
    }
}
