package dev.tidemark.schemas;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.specific.SpecificDatumWriter;
import org.apache.avro.specific.SpecificRecord;

/**
 * Writes trace records in Avro's single-object encoding with this build's schema. Keeps its
 * buffers: one instance, one thread.
 */
public final class TraceEncoder {
    private static final byte[] HEADER = TraceSchemas.header(TraceSchemas.CURRENT_FINGERPRINT);

    private final AvroBuffer buffer = new AvroBuffer();
    private final EventBlockCodec codec = new EventBlockCodec();
    private final ByteArrayOutputStream payloadBytes = new ByteArrayOutputStream();
    private final BinaryEncoder avro = EncoderFactory.get().binaryEncoder(payloadBytes, null);

    /** A record with a block of events. */
    public byte[] encode(String sessionId, long epoch, long seq, EventColumns events) {
        head(sessionId, epoch, seq, TraceSchemas.EVENT_BLOCK);
        codec.write(events, buffer);
        return buffer.toByteArray();
    }

    /**
     * A record with any other payload.
     *
     * @throws IllegalArgumentException when the payload's type is none of {@code
     *     TraceRecord.payload}
     */
    public byte[] encode(String sessionId, long epoch, long seq, SpecificRecord payload) {
        head(sessionId, epoch, seq, payload.getSchema().getName());
        payloadBytes.reset();
        try {
            new SpecificDatumWriter<SpecificRecord>(payload.getSchema()).write(payload, avro);
            avro.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory", e);
        }
        byte[] body = payloadBytes.toByteArray();
        buffer.writeBytes(body, 0, body.length);
        return buffer.toByteArray();
    }

    private void head(String sessionId, long epoch, long seq, String payloadName) {
        buffer.clear();
        buffer.writeBytes(HEADER, 0, HEADER.length);
        buffer.writeString(sessionId);
        buffer.writeLong(epoch);
        buffer.writeLong(seq);
        buffer.writeLong(TraceSchemas.branchOf(payloadName));
    }
}
