package dev.tidemark.ingest.ring;

import java.io.IOException;

/** A ring file that breaks its format. The message is one line: file, place, value, bound. */
public final class RingFormatException extends IOException {

    /** With a message of one line. */
    public RingFormatException(String message) {
        super(message);
    }

    /** As above, with what the system said. */
    public RingFormatException(String message, Throwable cause) {
        super(message, cause);
    }
}
