package dev.tidemark.schemas;

import dev.tidemark.schemas.avro.EventBlock;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.specific.SpecificDatumReader;
import org.jspecify.annotations.Nullable;

/**
 * Reads trace records in Avro's single-object encoding. Whatever the bytes, it answers with a
 * record or a {@link TraceFormatException}, and allocates no more than a few times their length.
 * Keeps its buffers: one instance, one thread.
 */
public final class TraceDecoder {
    private static final Pattern UUID =
            Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");

    private final SchemaLookup schemas;
    private final EventBlockCodec codec = new EventBlockCodec();
    private final Map<Schema, SpecificDatumReader<Object>> readers = new HashMap<>();
    private @Nullable BinaryDecoder avro;

    /** A decoder that finds foreign schemas in {@code schemas}. */
    public TraceDecoder(SchemaLookup schemas) {
        this.schemas = schemas;
    }

    /**
     * Reads the head of a record and finds where its payload lies, which is all that ordering
     * needs.
     *
     * @param bytes the whole record; kept, not copied
     */
    public TraceEnvelope readEnvelope(byte[] bytes) throws TraceFormatException {
        Head head = readHead(bytes);
        boolean isCurrent = TraceSchemas.fingerprintOf(bytes) == TraceSchemas.CURRENT_FINGERPRINT;
        return new TraceEnvelope(
                head.sessionId,
                head.epoch,
                head.seq,
                bytes,
                head.payloadOffset,
                head.payloadLimit,
                head.branch,
                isCurrent);
    }

    /** The same record in another epoch, every other byte as it was, whatever schema wrote it. */
    public byte[] withEpoch(byte[] bytes, long epoch) throws TraceFormatException {
        Head head = readHead(bytes);
        AvroBuffer out = new AvroBuffer();
        out.writeBytes(bytes, 0, head.epochOffset);
        out.writeLong(epoch);
        out.writeBytes(bytes, head.epochLimit, bytes.length - head.epochLimit);
        return out.toByteArray();
    }

    /**
     * Reads a block of events into the columns, which are emptied first.
     *
     * @throws TraceFormatException when it is no valid block; the columns then hold nothing of use
     */
    public void readEvents(TraceEnvelope record, EventColumns into) throws TraceFormatException {
        try {
            if (record.isCurrent()) {
                AvroCursor in =
                        new AvroCursor(
                                record.bytes(), record.payloadOffset(), record.payloadLimit());
                codec.read(in, into);
                requireEnd(in.remaining());
            } else {
                codec.convert((EventBlock) resolve(record), into);
            }
        } catch (TraceFormatException e) {
            throw new TraceFormatException(record + ": " + e.getMessage(), e);
        }
    }

    /**
     * Reads any payload that this build knows as the class generated for it; one written with
     * another schema is resolved to ours.
     */
    public Object readPayload(TraceEnvelope record) throws TraceFormatException {
        try {
            return resolve(record);
        } catch (TraceFormatException e) {
            throw new TraceFormatException(record + ": " + e.getMessage(), e);
        }
    }

    private Object resolve(TraceEnvelope record) throws TraceFormatException {
        // Avro allocates as much as a length says, so the lengths are walked over first.
        AvroCursor walk =
                new AvroCursor(record.bytes(), record.payloadOffset(), record.payloadLimit());
        walk.skip(record.writerSchema());
        requireEnd(walk.remaining());
        int length = record.payloadLimit() - record.payloadOffset();
        try {
            avro =
                    DecoderFactory.get()
                            .binaryDecoder(record.bytes(), record.payloadOffset(), length, avro);
            return readers.computeIfAbsent(record.writerSchema(), TraceDecoder::newReader)
                    .read(null, avro);
        } catch (IOException | AvroRuntimeException | IndexOutOfBoundsException e) {
            String reason =
                    Optional.ofNullable(e.getMessage())
                            .flatMap(text -> text.lines().findFirst())
                            .orElse(e.getClass().getSimpleName());
            throw new TraceFormatException("not readable with the current schema: " + reason, e);
        }
    }

    private static SpecificDatumReader<Object> newReader(Schema writerSchema) {
        Schema readerSchema =
                TraceSchemas.PAYLOADS.get(TraceSchemas.branchOf(writerSchema.getName()));
        return new SpecificDatumReader<>(writerSchema, readerSchema);
    }

    private static void requireEnd(int remaining) throws TraceFormatException {
        if (remaining != 0) {
            throw new TraceFormatException(remaining + " bytes are left over behind the payload");
        }
    }

    private Head readHead(byte[] bytes) throws TraceFormatException {
        if (!TraceSchemas.hasMarker(bytes)) {
            throw new TraceFormatException(
                    "no trace record: "
                            + bytes.length
                            + " bytes that don't begin with Avro's marker C3 01");
        }
        long fingerprint = TraceSchemas.fingerprintOf(bytes);
        Schema schema = schemas.find(fingerprint);
        if (schema == null) {
            throw new TraceFormatException(
                    "schema "
                            + TraceSchemas.fingerprintKey(fingerprint)
                            + " is not in "
                            + TraceSchemas.SCHEMAS_TOPIC);
        }
        AvroCursor in = new AvroCursor(bytes, TraceSchemas.HEADER_BYTES, bytes.length);
        Head head = new Head();
        for (Schema.Field field : schema.getFields()) {
            switch (field.name()) {
                case "session_id" -> head.sessionId = in.readString();
                case "epoch" -> head.readEpoch(in);
                case "seq" -> head.seq = in.readLong();
                case "payload" -> head.readPayload(in, field, schema);
                default -> in.skip(field.schema());
            }
        }
        requireEnd(in.remaining());
        head.check();
        return head;
    }

    private static final class Head {
        String sessionId = "";
        long epoch;
        int epochOffset;
        int epochLimit;
        long seq;
        Schema branch = TraceSchemas.CURRENT;
        int payloadOffset;
        int payloadLimit;

        void readEpoch(AvroCursor in) throws TraceFormatException {
            epochOffset = in.position;
            epoch = in.readLong();
            epochLimit = in.position;
        }

        /**
         * A payload in last place, as ours is, ends with the record, so it need not be walked over
         * here: its reader checks it.
         */
        void readPayload(AvroCursor in, Schema.Field field, Schema envelope)
                throws TraceFormatException {
            branch = in.readBranch(field.schema());
            payloadOffset = in.position;
            if (field.pos() == envelope.getFields().size() - 1) {
                in.position = in.limit;
            } else {
                in.skip(branch);
            }
            payloadLimit = in.position;
        }

        void check() throws TraceFormatException {
            if (!UUID.matcher(sessionId).matches()) {
                throw new TraceFormatException(
                        "session_id is " + quote(sessionId) + ", not a UUID in lower case");
            }
            if (seq < 0 || epoch < 0) {
                throw new TraceFormatException(
                        "session "
                                + sessionId
                                + ": epoch "
                                + epoch
                                + ", seq "
                                + seq
                                + "; neither may be below 0");
            }
        }

        private static String quote(String text) {
            String shown = text.length() > 60 ? text.substring(0, 60) + "..." : text;
            return '"' + shown.replaceAll("\\p{Cntrl}", "?") + '"';
        }
    }
}
