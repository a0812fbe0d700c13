package dev.tidemark.replay;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Reads what {@link StateWriter} wrote. */
final class StateReader {
    private final byte[] bytes;
    private int position;

    StateReader(byte[] bytes) {
        this.bytes = bytes;
    }

    /**
     * Reads the version that a page begins with.
     *
     * @throws IllegalStateException when this build can't read it
     */
    static StateReader of(byte[] page, int version, String what) {
        StateReader in = new StateReader(page);
        long found = in.readLong();
        if (found != version) {
            throw new IllegalStateException(
                    what
                            + " in the checkpoint has version "
                            + found
                            + ", this build reads "
                            + version
                            + ": restore with the build that wrote it, or start anew");
        }
        return in;
    }

    long readLong() {
        long value = 0;
        int shift = 0;
        byte next;
        do {
            next = bytes[position++];
            value |= (next & 0x7fL) << shift;
            shift += 7;
        } while (next < 0);
        return (value >>> 1) ^ -(value & 1);
    }

    int readInt() {
        return (int) readLong();
    }

    boolean readBoolean() {
        return readLong() != 0;
    }

    @Nullable String readString() {
        byte[] text = readBytes();
        return text == null ? null : new String(text, StandardCharsets.UTF_8);
    }

    byte @Nullable [] readBytes() {
        int length = readInt();
        if (length < 0) {
            return null;
        }
        position += length;
        return Arrays.copyOfRange(bytes, position - length, position);
    }
}
