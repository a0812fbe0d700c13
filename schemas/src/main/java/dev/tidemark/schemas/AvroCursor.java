package dev.tidemark.schemas;

import java.nio.charset.StandardCharsets;
import org.apache.avro.Schema;

/**
 * Reads Avro's binary encoding from part of an array. Every length is checked against what is left
 * before anything is allocated, so that a damaged record costs no more than its own size.
 */
final class AvroCursor {
    private static final int MAX_DEPTH = 64;

    /**
     * A schema of a few records can have more empty values than can ever be walked over, so a value
     * may have this many, and some for each byte.
     */
    private static final int MAX_EMPTY_VALUES = 1 << 16;

    private static final int EMPTY_VALUES_PER_BYTE = 8;

    final byte[] bytes;
    int position;
    final int limit;
    private int skippedFrom;
    private long emptyValues;

    AvroCursor(byte[] bytes, int position, int limit) {
        this.bytes = bytes;
        this.position = position;
        this.limit = limit;
    }

    int remaining() {
        return limit - position;
    }

    /** A zig-zag variable-length integer of at most 10 bytes. */
    long readLong() throws TraceFormatException {
        int at = position;
        if (at < limit) {
            long first = bytes[at];
            if (first >= 0) {
                position = at + 1;
                return (first >>> 1) ^ -(first & 1);
            }
        }
        return readLongSlowly();
    }

    private long readLongSlowly() throws TraceFormatException {
        long bits = 0;
        int at = position;
        for (int shift = 0; shift < 70; shift += 7) {
            if (at >= limit) {
                throw cut("a number", at - position + 1L);
            }
            long b = bytes[at++];
            bits |= (b & 0x7f) << shift;
            if (b >= 0) {
                position = at;
                return (bits >>> 1) ^ -(bits & 1);
            }
        }
        throw new TraceFormatException("at byte " + position + ": a number has more than 10 bytes");
    }

    int readInt(String what) throws TraceFormatException {
        long value = readLong();
        if (value != (int) value) {
            throw new TraceFormatException(
                    "before byte "
                            + position
                            + ": "
                            + what
                            + " is "
                            + value
                            + ", more than 32 bits hold");
        }
        return (int) value;
    }

    boolean readBoolean() throws TraceFormatException {
        need("a boolean", 1);
        byte value = bytes[position];
        if (value != 0 && value != 1) {
            throw new TraceFormatException(
                    "at byte " + position + ": a boolean is " + value + ", neither 0 nor 1");
        }
        position++;
        return value == 1;
    }

    double readDouble() throws TraceFormatException {
        need("a double", Double.BYTES);
        long bits = 0;
        for (int i = Double.BYTES - 1; i >= 0; i--) {
            bits = bits << 8 | (bytes[position + i] & 0xff);
        }
        position += Double.BYTES;
        return Double.longBitsToDouble(bits);
    }

    String readString() throws TraceFormatException {
        int length = readLength("a string");
        String text = new String(bytes, position, length, StandardCharsets.UTF_8);
        position += length;
        return text;
    }

    /** Reads a byte length and checks that so many bytes follow. */
    int readLength(String what) throws TraceFormatException {
        long length = readLong();
        if (length < 0) {
            throw new TraceFormatException(
                    "before byte "
                            + position
                            + ": "
                            + what
                            + " has the length "
                            + length
                            + ", below 0");
        }
        need(what, length);
        return (int) length;
    }

    /**
     * Reads the head of the next part of an array or map; 0 ends it. A negative count, which Avro
     * follows by the part's size in bytes, is made positive.
     *
     * @throws TraceFormatException when more items are promised than bytes are left, at one byte an
     *     item
     */
    int readItemCount(String what) throws TraceFormatException {
        long count = readLong();
        if (count < 0) {
            if (count == Long.MIN_VALUE) {
                throw new TraceFormatException(
                        "before byte "
                                + position
                                + ": "
                                + what
                                + " promises "
                                + count
                                + " entries");
            }
            count = -count;
            readLength(what);
        }
        if (count > remaining()) {
            throw new TraceFormatException(
                    "before byte "
                            + position
                            + ": "
                            + what
                            + " promises "
                            + count
                            + " entries, but "
                            + remaining()
                            + " bytes are left");
        }
        return (int) count;
    }

    /** Steps over one value of the given schema. */
    void skip(Schema schema) throws TraceFormatException {
        skippedFrom = position;
        emptyValues = 0;
        skip(schema, 0);
    }

    private void skip(Schema schema, int depth) throws TraceFormatException {
        if (depth > MAX_DEPTH) {
            throw new TraceFormatException(
                    "at byte " + position + ": values nested more than " + MAX_DEPTH + " deep");
        }
        switch (schema.getType()) {
            case NULL -> countEmptyValue();
            case BOOLEAN -> advance("a boolean", 1);
            case INT, LONG, ENUM -> readLong();
            case FLOAT -> advance("a float", Float.BYTES);
            case DOUBLE -> advance("a double", Double.BYTES);
            case FIXED -> advance("a fixed", schema.getFixedSize());
            case BYTES, STRING -> advance("a string", readLength("a string"));
            case UNION -> skip(readBranch(schema), depth + 1);
            case RECORD -> {
                countEmptyValue();
                for (Schema.Field field : schema.getFields()) {
                    skip(field.schema(), depth + 1);
                }
            }
            case ARRAY -> skipItems("an array", null, schema.getElementType(), depth);
            case MAP ->
                    skipItems(
                            "a map",
                            Schema.create(Schema.Type.STRING),
                            schema.getValueType(),
                            depth);
        }
    }

    private void skipItems(
            String what, @org.jspecify.annotations.Nullable Schema key, Schema value, int depth)
            throws TraceFormatException {
        for (int count = readItemCount(what); count > 0; count = readItemCount(what)) {
            for (int i = 0; i < count; i++) {
                if (key != null) {
                    skip(key, depth + 1);
                }
                skip(value, depth + 1);
            }
        }
    }

    /** Counts what may take no byte itself. */
    private void countEmptyValue() throws TraceFormatException {
        long most = MAX_EMPTY_VALUES + (long) EMPTY_VALUES_PER_BYTE * (position - skippedFrom);
        if (++emptyValues > most) {
            throw new TraceFormatException(
                    "at byte "
                            + position
                            + ": more than "
                            + most
                            + " values without bytes of their own");
        }
    }

    /** Reads which branch of a union follows. */
    Schema readBranch(Schema union) throws TraceFormatException {
        long branch = readLong();
        if (branch < 0 || branch >= union.getTypes().size()) {
            throw new TraceFormatException(
                    "before byte "
                            + position
                            + ": branch "
                            + branch
                            + " of a union that has "
                            + union.getTypes().size());
        }
        return union.getTypes().get((int) branch);
    }

    private void advance(String what, int length) throws TraceFormatException {
        need(what, length);
        position += length;
    }

    private void need(String what, long length) throws TraceFormatException {
        if (length > remaining()) {
            throw cut(what, length);
        }
    }

    private TraceFormatException cut(String what, long length) {
        return new TraceFormatException(
                "at byte "
                        + position
                        + ": "
                        + what
                        + " needs "
                        + length
                        + " bytes, but "
                        + remaining()
                        + " are left");
    }
}
