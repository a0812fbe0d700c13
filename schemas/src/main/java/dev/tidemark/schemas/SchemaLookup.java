package dev.tidemark.schemas;

import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Finds the schema that a record was written with. On Kafka that is the compacted topic {@code
 * tidemark.schemas}.
 */
@FunctionalInterface
public interface SchemaLookup {
    /** The schema of this CRC-64-AVRO fingerprint, or null when it is not known. */
    @Nullable Schema find(long fingerprint);
}
