package dev.tidemark.schemas;

import java.util.Arrays;
import java.util.List;

/**
 * One column of an event block on its way to or from the wire. Grows only as far as bytes are there
 * to fill it.
 */
final class LongColumn {
    private final String name;
    private long[] values = new long[0];
    private int size;

    LongColumn(String name) {
        this.name = name;
    }

    void clear() {
        size = 0;
    }

    int size() {
        return size;
    }

    void add(long value) {
        if (size == values.length) {
            values = Arrays.copyOf(values, Math.max(1024, size * 2));
        }
        values[size++] = value;
    }

    /** The entry, or an error that says that the column is too short. */
    long get(int index) throws TraceFormatException {
        if (index >= size) {
            throw new TraceFormatException(
                    "column " + name + " ends after " + size + " entries, but more are needed");
        }
        return values[index];
    }

    /** The entry, or an error when it is not within the bounds. */
    long getWithin(int index, long min, long max) throws TraceFormatException {
        long value = get(index);
        if (value < min || value > max) {
            throw new TraceFormatException(
                    "column "
                            + name
                            + ", entry "
                            + index
                            + ": "
                            + value
                            + " is not within "
                            + min
                            + " and "
                            + max);
        }
        return value;
    }

    void checkSize(int expected, String what) throws TraceFormatException {
        if (size != expected) {
            throw new TraceFormatException(
                    "column " + name + " has " + size + " entries for " + expected + " " + what);
        }
    }

    void set(List<Long> from) throws TraceFormatException {
        clear();
        int at = grow(from.size());
        for (long value : from) {
            values[at++] = value;
        }
    }

    void readLongs(AvroCursor in) throws TraceFormatException {
        clear();
        for (int count = in.readItemCount(name); count > 0; count = in.readItemCount(name)) {
            int start = grow(count);
            long[] into = values;
            for (int i = start; i < start + count; i++) {
                into[i] = in.readLong();
            }
        }
    }

    void readDoubles(AvroCursor in) throws TraceFormatException {
        clear();
        for (int count = in.readItemCount(name); count > 0; count = in.readItemCount(name)) {
            int start = grow(count);
            for (int i = start; i < start + count; i++) {
                values[i] = Double.doubleToRawLongBits(in.readDouble());
            }
        }
    }

    private int grow(int count) throws TraceFormatException {
        int start = size;
        if (start + count > EventBlockCodec.MAX_EVENTS) {
            throw new TraceFormatException(
                    "column "
                            + name
                            + " has "
                            + (start + count)
                            + " entries, more than a block's "
                            + EventBlockCodec.MAX_EVENTS);
        }
        if (start + count > values.length) {
            values = Arrays.copyOf(values, Math.max(values.length * 2, start + count));
        }
        size = start + count;
        return start;
    }

    void writeLongs(AvroBuffer out) {
        out.beginArray(size);
        for (int i = 0; i < size; i++) {
            out.writeLong(values[i]);
        }
        out.endArray();
    }

    void writeDoubles(AvroBuffer out) {
        out.beginArray(size);
        for (int i = 0; i < size; i++) {
            out.writeDouble(Double.longBitsToDouble(values[i]));
        }
        out.endArray();
    }
}
