package dev.tidemark.replay;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Bytes of a page in the making: variable-length numbers, nullable text. */
final class StateWriter {
    private byte[] bytes = new byte[256];
    private int size;

    /** Writes a number in 1 to 10 bytes; near 0 is short, on either side. */
    StateWriter writeLong(long value) {
        long rest = (value << 1) ^ (value >> 63);
        ensure(10);
        while ((rest & ~0x7fL) != 0) {
            bytes[size++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[size++] = (byte) rest;
        return this;
    }

    StateWriter writeBoolean(boolean value) {
        return writeLong(value ? 1 : 0);
    }

    StateWriter writeString(@Nullable String text) {
        return writeBytes(text == null ? null : text.getBytes(StandardCharsets.UTF_8));
    }

    StateWriter writeBytes(byte @Nullable [] value) {
        if (value == null) {
            return writeLong(-1);
        }
        writeLong(value.length);
        ensure(value.length);
        System.arraycopy(value, 0, bytes, size, value.length);
        size += value.length;
        return this;
    }

    byte[] toByteArray() {
        return Arrays.copyOf(bytes, size);
    }

    private void ensure(int more) {
        if (bytes.length - size < more) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, size + more));
        }
    }
}
