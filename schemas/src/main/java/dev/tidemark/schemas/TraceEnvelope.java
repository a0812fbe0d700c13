package dev.tidemark.schemas;

import org.apache.avro.Schema;

/**
 * A trace record whose head has been read and whose payload has not.
 *
 * @param sessionId the session's UUID in lower case, checked
 * @param epoch the pass of the session
 * @param seq the record's place in the session, from 0
 * @param payloadName the payload's type, such as {@code EventBlock}; a name that this build may not
 *     know
 * @param bytes the whole record in single-object encoding; not copied
 * @param payloadOffset where the payload's bytes begin
 * @param payloadLimit where they end
 * @param writerSchema the payload's schema as it was written
 * @param isCurrent whether the record was written with this build's schema
 */
public record TraceEnvelope(
        String sessionId,
        long epoch,
        long seq,
        String payloadName,
        byte[] bytes,
        int payloadOffset,
        int payloadLimit,
        Schema writerSchema,
        boolean isCurrent) {

    /**
     * Whether this build knows the payload's type. One that it doesn't know is counted and still
     * uses up its seq.
     */
    public boolean isKnownPayload() {
        return TraceSchemas.PAYLOADS.stream()
                .anyMatch(schema -> schema.getName().equals(payloadName));
    }

    /**
     * Whether the payload is a block of events, to be read with {@link TraceDecoder#readEvents}.
     */
    public boolean isEventBlock() {
        return TraceSchemas.EVENT_BLOCK.equals(payloadName);
    }

    @Override
    public String toString() {
        return payloadName + " " + seq + " of session " + sessionId + ", epoch " + epoch;
    }
}
