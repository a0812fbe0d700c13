package dev.tidemark.schemas;

import java.io.IOException;

/**
 * Bytes that are no trace record, or not a whole one. The message says what was read, where, which
 * value was found and what is allowed.
 */
public final class TraceFormatException extends IOException {

    /**
     * A message of one line, without the place that the caller knows (file and offset; topic,
     * partition, offset).
     */
    public TraceFormatException(String message) {
        super(message);
    }

    /** As above, with what Avro said. */
    public TraceFormatException(String message, Throwable cause) {
        super(message, cause);
    }
}
