package dev.tidemark.ingest.sink;

import java.io.Closeable;
import java.io.IOException;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Takes trace records. Those of one session arrive in their order and leave in it. Any thread may
 * call, one at a time.
 */
public interface TraceSink extends Closeable {

    /**
     * Takes a record. Blocks for a short while at most.
     *
     * @param sessionId the record's session
     * @param type name of its payload
     * @param record the record in single-object encoding; kept, not copied
     * @throws IOException when the record can't be taken, now or later
     */
    void send(String sessionId, String type, byte[] record) throws IOException;

    /**
     * Makes a schema known before its first record is sent. The current build's own needs no
     * telling.
     *
     * @throws IOException when this sink can't carry records of that schema
     */
    void publishSchema(Schema schema) throws IOException;

    /**
     * Waits until what was sent is where it can be read, or in a spool for when it can.
     *
     * @throws IOException when it can't be kept
     */
    void flush() throws IOException;

    /** What keeps records from arriving, in one line; null while they do. */
    default @Nullable String trouble() {
        return null;
    }
}
