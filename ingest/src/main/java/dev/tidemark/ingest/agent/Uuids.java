package dev.tidemark.ingest.agent;

import java.security.SecureRandom;
import java.util.UUID;

/** UUIDs of version 7 (RFC 9562), whose order is that of their time. */
public final class Uuids {
    private static final SecureRandom RANDOM = new SecureRandom();

    private Uuids() {}

    /** A new one of a wall-clock time. */
    public static String version7(long epochMillis) {
        long high = (epochMillis << 16) | 0x7000L | (RANDOM.nextLong() & 0xfffL);
        long low = (RANDOM.nextLong() >>> 2) | (1L << 63);
        return new UUID(high, low).toString();
    }
}
