package dev.tidemark.schemas;

import org.apache.avro.Schema;

/**
 * A trace record whose head has been read and whose payload has not. Shares the record's bytes;
 * don't change them.
 */
public final class TraceEnvelope {
    private final String sessionId;
    private final long epoch;
    private final long seq;
    private final byte[] bytes;
    private final int payloadOffset;
    private final int payloadLimit;
    private final Schema writerSchema;
    private final boolean isCurrent;

    TraceEnvelope(
            String sessionId,
            long epoch,
            long seq,
            byte[] bytes,
            int payloadOffset,
            int payloadLimit,
            Schema writerSchema,
            boolean isCurrent) {
        this.sessionId = sessionId;
        this.epoch = epoch;
        this.seq = seq;
        this.bytes = bytes;
        this.payloadOffset = payloadOffset;
        this.payloadLimit = payloadLimit;
        this.writerSchema = writerSchema;
        this.isCurrent = isCurrent;
    }

    /** The session's UUID in lower case, checked. */
    public String sessionId() {
        return sessionId;
    }

    /** The pass of the session, 0 or more. */
    public long epoch() {
        return epoch;
    }

    /** The record's place in the session, from 0. */
    public long seq() {
        return seq;
    }

    /** The payload's type, such as {@code EventBlock}; a name that this build may not know. */
    public String payloadName() {
        return writerSchema.getName();
    }

    /** The whole record in single-object encoding. */
    public byte[] bytes() {
        return bytes;
    }

    /**
     * Whether this build knows the payload's type. One that it doesn't know is counted and still
     * uses up its seq.
     */
    public boolean isKnownPayload() {
        return TraceSchemas.PAYLOADS.stream()
                .anyMatch(schema -> schema.getName().equals(payloadName()));
    }

    /**
     * Whether the payload is a block of events, to be read with {@link TraceDecoder#readEvents}.
     */
    public boolean isEventBlock() {
        return TraceSchemas.EVENT_BLOCK.equals(payloadName());
    }

    int payloadOffset() {
        return payloadOffset;
    }

    int payloadLimit() {
        return payloadLimit;
    }

    /** The payload's schema as it was written. */
    Schema writerSchema() {
        return writerSchema;
    }

    /** Whether the record was written with this build's schema. */
    boolean isCurrent() {
        return isCurrent;
    }

    @Override
    public String toString() {
        return payloadName() + " " + seq + " of session " + sessionId + ", epoch " + epoch;
    }
}
