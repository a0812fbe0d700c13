package dev.tidemark.replay;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Rows of {@code events} in columns: calls of one session that fall on one UTC day. {@link #NULL}
 * stands for NULL. Filled by the replay, then only read.
 */
public final class EventBatch {
    /** A number that is not known. */
    public static final long NULL = Long.MIN_VALUE;

    private final String sessionId;
    private final String loadId;
    private final int day;

    private int size;
    private long[] atNs;
    private int[] thread;
    private byte[] operation;
    private long[] sizeBytes;
    private long[] alignment;
    private long[] block;
    private long[] releasedBlock;
    private long[] durationNs;
    private long[] frame;
    private long[] tick;
    private @Nullable String[] phase;

    /** An empty batch with room for so many calls at first. */
    public EventBatch(String sessionId, String loadId, int day, int capacity) {
        this.sessionId = sessionId;
        this.loadId = loadId;
        this.day = day;
        atNs = new long[capacity];
        thread = new int[capacity];
        operation = new byte[capacity];
        sizeBytes = new long[capacity];
        alignment = new long[capacity];
        block = new long[capacity];
        releasedBlock = new long[capacity];
        durationNs = new long[capacity];
        frame = new long[capacity];
        tick = new long[capacity];
        phase = new String[capacity];
    }

    /** Adds what is known of a call; the rest follows in {@link #block} and {@link #spans}. */
    public EventBatch add(long atNs, int thread, int operation, long durationNs) {
        if (size == this.atNs.length) {
            grow(Math.max(16, size * 2));
        }
        this.atNs[size] = atNs;
        this.thread[size] = thread;
        this.operation[size] = (byte) operation;
        this.durationNs[size] = durationNs;
        size++;
        return this;
    }

    /** Sets size, alignment and blocks of the call added last. */
    public EventBatch block(long sizeBytes, long alignment, long block, long releasedBlock) {
        this.sizeBytes[size - 1] = sizeBytes;
        this.alignment[size - 1] = alignment;
        this.block[size - 1] = block;
        this.releasedBlock[size - 1] = releasedBlock;
        return this;
    }

    /** Sets where the call added last lies. */
    public EventBatch spans(long frame, long tick, @Nullable String phase) {
        this.frame[size - 1] = frame;
        this.tick[size - 1] = tick;
        this.phase[size - 1] = phase;
        return this;
    }

    private void grow(int capacity) {
        atNs = Arrays.copyOf(atNs, capacity);
        thread = Arrays.copyOf(thread, capacity);
        operation = Arrays.copyOf(operation, capacity);
        sizeBytes = Arrays.copyOf(sizeBytes, capacity);
        alignment = Arrays.copyOf(alignment, capacity);
        block = Arrays.copyOf(block, capacity);
        releasedBlock = Arrays.copyOf(releasedBlock, capacity);
        durationNs = Arrays.copyOf(durationNs, capacity);
        frame = Arrays.copyOf(frame, capacity);
        tick = Arrays.copyOf(tick, capacity);
        phase = Arrays.copyOf(phase, capacity);
    }

    public String sessionId() {
        return sessionId;
    }

    public String loadId() {
        return loadId;
    }

    /** UTC day of all its calls, days since 1970. */
    public int day() {
        return day;
    }

    public int size() {
        return size;
    }

    public long atNs(int i) {
        return atNs[i];
    }

    public int thread(int i) {
        return thread[i];
    }

    /** A code of {@link dev.tidemark.schemas.Operation}. */
    public int operation(int i) {
        return operation[i];
    }

    public long sizeBytes(int i) {
        return sizeBytes[i];
    }

    public long alignment(int i) {
        return alignment[i];
    }

    public long block(int i) {
        return block[i];
    }

    public long releasedBlock(int i) {
        return releasedBlock[i];
    }

    public long durationNs(int i) {
        return durationNs[i];
    }

    public long frame(int i) {
        return frame[i];
    }

    public long tick(int i) {
        return tick[i];
    }

    public @Nullable String phase(int i) {
        return phase[i];
    }
}
