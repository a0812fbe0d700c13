package dev.tidemark.schemas;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Writes Avro's binary encoding into an array that grows and is used again. */
final class AvroBuffer {
    private byte[] bytes = new byte[4096];
    private int size;

    void clear() {
        size = 0;
    }

    int size() {
        return size;
    }

    byte[] toByteArray() {
        return Arrays.copyOf(bytes, size);
    }

    void writeLong(long value) {
        ensure(10);
        long bits = (value << 1) ^ (value >> 63);
        while ((bits & ~0x7fL) != 0) {
            bytes[size++] = (byte) (bits | 0x80);
            bits >>>= 7;
        }
        bytes[size++] = (byte) bits;
    }

    void writeBoolean(boolean value) {
        ensure(1);
        bytes[size++] = (byte) (value ? 1 : 0);
    }

    void writeDouble(double value) {
        long bits = Double.doubleToRawLongBits(value);
        ensure(Double.BYTES);
        for (int i = 0; i < Double.BYTES; i++) {
            bytes[size++] = (byte) (bits >>> (8 * i));
        }
    }

    void writeString(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        writeLong(utf8.length);
        writeBytes(utf8, 0, utf8.length);
    }

    void writeBytes(byte[] source, int offset, int length) {
        ensure(length);
        System.arraycopy(source, offset, bytes, size, length);
        size += length;
    }

    /** The head of an array's only part; nothing for an empty array. */
    void beginArray(int count) {
        if (count > 0) {
            writeLong(count);
        }
    }

    void endArray() {
        writeLong(0);
    }

    private void ensure(int more) {
        if (bytes.length - size < more) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, size + more));
        }
    }
}
