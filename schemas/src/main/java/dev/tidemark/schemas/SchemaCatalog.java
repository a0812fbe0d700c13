package dev.tidemark.schemas;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;
import org.jspecify.annotations.Nullable;

/** Schemas by fingerprint; knows this build's own from the start. Any thread may use it. */
public final class SchemaCatalog implements SchemaLookup {
    private final Map<Long, Schema> schemas =
            new ConcurrentHashMap<>(Map.of(TraceSchemas.CURRENT_FINGERPRINT, TraceSchemas.CURRENT));

    @Override
    public @Nullable Schema find(long fingerprint) {
        return schemas.get(fingerprint);
    }

    /**
     * Learns a schema.
     *
     * @param json the schema as Avro writes it
     * @return its fingerprint
     * @throws TraceFormatException when it is no schema of a trace record: a record with
     *     session_id, epoch, seq and a union payload
     */
    public long add(String json) throws TraceFormatException {
        Schema schema = parse(json);
        requireEnvelope(schema);
        long fingerprint = SchemaNormalization.parsingFingerprint64(schema);
        schemas.putIfAbsent(fingerprint, schema);
        return fingerprint;
    }

    private static Schema parse(String json) throws TraceFormatException {
        try {
            return new Schema.Parser().parse(json);
        } catch (RuntimeException e) {
            // Avro's parser answers a damaged schema with whatever it runs into, null pointers
            // among them.
            throw new TraceFormatException("not an Avro schema: " + firstLine(e.getMessage()), e);
        }
    }

    private static void requireEnvelope(Schema schema) throws TraceFormatException {
        if (schema.getType() != Schema.Type.RECORD
                || !isType(schema, "session_id", Schema.Type.STRING)
                || !isType(schema, "epoch", Schema.Type.LONG)
                || !isType(schema, "seq", Schema.Type.LONG)
                || !isType(schema, "payload", Schema.Type.UNION)) {
            throw new TraceFormatException(
                    "schema "
                            + schema.getFullName()
                            + " is no trace record: it needs the fields session_id string, epoch long, seq long and payload union");
        }
    }

    private static boolean isType(Schema record, String field, Schema.Type type) {
        Schema.Field found = record.getField(field);
        return found != null && found.schema().getType() == type;
    }

    private static String firstLine(@Nullable String message) {
        return message == null
                ? "no reason given"
                : message.lines().findFirst().orElse("no reason given");
    }
}
