package dev.tidemark.ingest.ring;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;

/**
 * One ring of a file: records of one thread at a time, written by it and read here. One thread.
 * Indices count records since the file was made and never wrap.
 */
public final class Ring {
    /** In {@link #inflight()}: the begin stamp of a call is just being taken. */
    public static final long BUSY = 1;

    static final VarHandle LONG =
            MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    static final VarHandle INT =
            MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private final int number;
    private final String place;
    private final ByteBuffer memory;
    private final LongBuffer records;
    private final int capacity;

    Ring(int number, String place, ByteBuffer memory, int capacity) {
        this.number = number;
        this.place = place;
        this.memory = memory.order(ByteOrder.LITTLE_ENDIAN);
        this.capacity = capacity;
        records =
                memory.slice(RingDescriptor.RECORDS, capacity * RecordDescriptor.BYTES)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .asLongBuffer();
    }

    /** The ring's number in its file. */
    public int number() {
        return number;
    }

    /** Records that fit. */
    public int capacity() {
        return capacity;
    }

    /** The serial of the owning thread plus 1; 0 when the ring is free. */
    public long owner() {
        return (long) LONG.getAcquire(memory, RingDescriptor.OWNER);
    }

    /** The owner's thread id as the process sees it. */
    public int tid() {
        return (int) INT.getAcquire(memory, RingDescriptor.TID);
    }

    /**
     * Gives the ring of a thread that died without clean-up back, unless it was taken meanwhile.
     */
    public boolean takeFrom(long owner) {
        LONG.setRelease(memory, RingDescriptor.INFLIGHT, 0L);
        return LONG.compareAndSet(memory, RingDescriptor.OWNER, owner, 0L);
    }

    /**
     * Begin stamp of the call that the owner is in; 0 for none, {@link #BUSY} before it is known.
     */
    public long inflight() {
        return (long) LONG.getAcquire(memory, RingDescriptor.INFLIGHT);
    }

    /** Index behind the newest record. */
    public long head() {
        return (long) LONG.getAcquire(memory, RingDescriptor.HEAD);
    }

    /** Index of the first record not read yet. */
    public long tail() {
        return (long) LONG.getAcquire(memory, RingDescriptor.TAIL);
    }

    /** Gives the room before {@code index} back to the writer. */
    public void tail(long index) {
        LONG.setRelease(memory, RingDescriptor.TAIL, index);
    }

    /** Events lost because the ring was full, of which no record tells. */
    public long droppedUntold() {
        long dropped = (long) LONG.getAcquire(memory, RingDescriptor.DROPPED);
        return Math.max(0, dropped - (long) LONG.getAcquire(memory, RingDescriptor.DROPPED_TOLD));
    }

    /**
     * How many records from {@code index} are readable.
     *
     * @param head what {@link #head()} said
     * @throws RingFormatException when that is less than none or more than fit
     */
    public int readable(long index, long head) throws RingFormatException {
        long count = head - index;
        if (count < 0 || count > capacity) {
            throw new RingFormatException(
                    "%s: ring %d has its head at %d and its tail at %d: must be 0 to %d records apart"
                            .formatted(place, number, head, index, capacity));
        }
        return (int) count;
    }

    /** The key of a readable record. */
    public long keyAt(long index) {
        int at = wordOf(index);
        return RecordDescriptor.key(
                records.get(at + RecordDescriptor.BEGIN), records.get(at + RecordDescriptor.WORD));
    }

    /** Copies readable records out, {@link RecordDescriptor#WORDS} words each. */
    public void copy(long index, int count, long[] into, int offset) {
        int at = wordOf(index);
        int words = count * RecordDescriptor.WORDS;
        int first = Math.min(words, capacity * RecordDescriptor.WORDS - at);
        records.get(at, into, offset, first);
        records.get(0, into, offset + first, words - first);
    }

    private int wordOf(long index) {
        return (int) (index & (capacity - 1)) * RecordDescriptor.WORDS;
    }
}
