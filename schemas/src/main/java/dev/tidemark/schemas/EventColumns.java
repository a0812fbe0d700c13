package dev.tidemark.schemas;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * One event block as primitive arrays: what the agent fills and the replay reads. An instance is
 * meant to be filled again and again; it grows to the largest block seen and is for one thread.
 *
 * <p>Entries are dense here, one of each column per event, while the wire leaves out what an event
 * doesn't have. Blocks are ordinals of the session (not distances) and times are nanoseconds since
 * the session's start.
 */
public final class EventColumns {
    /** The call made or released no block. */
    public static final long NO_BLOCK = -1;

    /** The call released an address that was never seen being handed out. */
    public static final long UNKNOWN_BLOCK = -2;

    /**
     * The call released a block made before this session began, by the process that it continues.
     */
    public static final long PREEXISTING_BLOCK = -3;

    /** What a trim gave back is not known. */
    public static final long UNKNOWN_BYTES = Long.MIN_VALUE;

    private long firstEvent;
    private long firstBlock;
    private long firstTimeNs;
    private long liveBytes;
    private long liveBlocks;
    private long droppedBefore;
    private long timeInversions;
    private boolean isDropping;

    private int size;
    private long nextBlock;
    private byte[] operations = new byte[0];
    private int[] threads = new int[0];
    private long[] timesNs = new long[0];
    private long[] durationsNs = new long[0];
    private long[] sizesBytes = new long[0];
    private long[] alignmentsBytes = new long[0];
    private long[] made = new long[0];
    private long[] released = new long[0];
    private final List<String> names = new ArrayList<>();

    /** A block's first write, or a mark's switches, up to the event {@link #lastBeside}. */
    private long[] beside = new long[0];

    private int lastBeside;
    private boolean isFirstWriteTimed;
    private boolean areSwitchesCounted;

    /**
     * Empties the columns and sets the head of the block to come.
     *
     * @param firstEvent ordinal of the first event in the session
     * @param firstBlock blocks made before it
     * @param firstTimeNs time of the first event, or of the loss before it, or the time that an
     *     empty block speaks for
     * @param liveBytes requested bytes live before it
     * @param liveBlocks blocks live before it
     * @param droppedBefore events lost just before it
     */
    public void begin(
            long firstEvent,
            long firstBlock,
            long firstTimeNs,
            long liveBytes,
            long liveBlocks,
            long droppedBefore) {
        this.firstEvent = firstEvent;
        this.firstBlock = firstBlock;
        this.firstTimeNs = firstTimeNs;
        this.liveBytes = liveBytes;
        this.liveBlocks = liveBlocks;
        this.droppedBefore = droppedBefore;
        timeInversions = 0;
        isDropping = false;
        lastBeside = -1;
        isFirstWriteTimed = false;
        areSwitchesCounted = false;
        size = 0;
        nextBlock = firstBlock;
        names.clear();
    }

    /** Sets how many time stamps the session clamped so far, to the end of this block. */
    public void timeInversions(long count) {
        timeInversions = count;
    }

    /** Sets whether events were being dropped all through this block. */
    public void isDropping(boolean isGoingOn) {
        isDropping = isGoingOn;
    }

    /**
     * Adds a malloc, calloc, aligned or new.
     *
     * @param timeNs when the call returned
     * @param alignmentBytes the alignment asked for, 0 for none
     * @param madeBlock whether it returned a block
     * @return the block's ordinal, or {@link #NO_BLOCK}
     */
    public long addAllocation(
            int operation,
            int thread,
            long timeNs,
            long durationNs,
            long sizeBytes,
            long alignmentBytes,
            boolean madeBlock) {
        return add(
                operation,
                thread,
                timeNs,
                durationNs,
                sizeBytes,
                alignmentBytes,
                madeBlock,
                NO_BLOCK);
    }

    /**
     * Adds a realloc.
     *
     * @param timeNs when the call returned
     * @param madeBlock whether it returned a block
     * @param released the block given to it, also when the call failed and left it alone; {@link
     *     #NO_BLOCK} for realloc of NULL
     * @return the new block's ordinal, or {@link #NO_BLOCK}
     */
    public long addReallocation(
            int thread,
            long timeNs,
            long durationNs,
            long sizeBytes,
            boolean madeBlock,
            long released) {
        return add(
                Operation.REALLOC, thread, timeNs, durationNs, sizeBytes, 0, madeBlock, released);
    }

    /**
     * Adds a free, delete or missed free.
     *
     * @param timeNs when the call began
     * @param released the block, {@link #UNKNOWN_BLOCK} or {@link #PREEXISTING_BLOCK}
     */
    public void addRelease(int operation, int thread, long timeNs, long durationNs, long released) {
        add(operation, thread, timeNs, durationNs, 0, 0, false, released);
    }

    /** Adds a frame or tick mark at the return of its hooked call. */
    public void addMark(int operation, int thread, long timeNs) {
        add(operation, thread, timeNs, 0, 0, 0, false, NO_BLOCK);
    }

    /** Adds the start of a phase. */
    public void addPhase(int thread, long timeNs, String name) {
        addNamed(Operation.PHASE, thread, timeNs, name, 0);
    }

    /** Adds a value that the program tells. */
    public void addValue(int thread, long timeNs, String name, double value) {
        addNamed(Operation.VALUE, thread, timeNs, name, Double.doubleToRawLongBits(value));
    }

    /**
     * Adds a call that trimmed the allocator.
     *
     * @param returnedBytes resident bytes before less after, or {@link #UNKNOWN_BYTES}
     */
    public void addTrim(int thread, long timeNs, long durationNs, long returnedBytes) {
        add(Operation.TRIM, thread, timeNs, durationNs, returnedBytes, 0, false, NO_BLOCK);
    }

    /**
     * Says how long first writes into the block took that the event added last made. A block of
     * events in which one is said has all measured; those of which none is said took 0.
     */
    public void addFirstWrite(long ns) {
        if (made[size - 1] == NO_BLOCK) {
            throw new IllegalStateException("event " + (size - 1) + " made no block to write into");
        }
        isFirstWriteTimed = true;
        setBeside(ns);
    }

    /**
     * Says how many involuntary switches of all threads there were by the frame or tick mark added
     * last, since the session's start. They are said for all marks of a block or for none.
     */
    public void addInvoluntarySwitches(long soFar) {
        if (!Operation.isSpanMark(operations[size - 1])) {
            throw new IllegalStateException("event " + (size - 1) + " is no frame or tick mark");
        }
        areSwitchesCounted = true;
        setBeside(soFar);
    }

    private void setBeside(long value) {
        if (beside.length < size) {
            beside = Arrays.copyOf(beside, operations.length);
        }
        Arrays.fill(beside, lastBeside + 1, size - 1, 0);
        lastBeside = size - 1;
        beside[lastBeside] = value;
    }

    private void addNamed(int operation, int thread, long timeNs, String name, long valueBits) {
        names.add(name);
        add(operation, thread, timeNs, 0, valueBits, 0, false, names.size() - 1L);
    }

    private long add(
            int operation,
            int thread,
            long timeNs,
            long durationNs,
            long sizeBytes,
            long alignmentBytes,
            boolean madeBlock,
            long releasedBlock) {
        if (size == operations.length) {
            ensureCapacity(Math.max(1024, size * 2));
        }
        int i = size++;
        operations[i] = (byte) operation;
        threads[i] = thread;
        timesNs[i] = timeNs;
        durationsNs[i] = durationNs;
        sizesBytes[i] = sizeBytes;
        alignmentsBytes[i] = alignmentBytes;
        long block = madeBlock ? nextBlock++ : NO_BLOCK;
        made[i] = block;
        released[i] = releasedBlock;
        return block;
    }

    private void ensureCapacity(int capacity) {
        operations = Arrays.copyOf(operations, capacity);
        threads = Arrays.copyOf(threads, capacity);
        timesNs = Arrays.copyOf(timesNs, capacity);
        durationsNs = Arrays.copyOf(durationsNs, capacity);
        sizesBytes = Arrays.copyOf(sizesBytes, capacity);
        alignmentsBytes = Arrays.copyOf(alignmentsBytes, capacity);
        made = Arrays.copyOf(made, capacity);
        released = Arrays.copyOf(released, capacity);
    }

    public long firstEvent() {
        return firstEvent;
    }

    public long firstBlock() {
        return firstBlock;
    }

    public long firstTimeNs() {
        return firstTimeNs;
    }

    /** Requested bytes live before the first event. */
    public long liveBytes() {
        return liveBytes;
    }

    /** Blocks live before the first event. */
    public long liveBlocks() {
        return liveBlocks;
    }

    /** Events lost just before the first event. */
    public long droppedBefore() {
        return droppedBefore;
    }

    /** Time stamps that the session clamped so far, to the end of this block. */
    public long timeInversions() {
        return timeInversions;
    }

    /** Whether events were being dropped all through this block. */
    public boolean isDropping() {
        return isDropping;
    }

    /** Whether first writes were measured; no event has any when not. */
    public boolean isFirstWriteTimed() {
        return isFirstWriteTimed;
    }

    /** Whether marks say how many involuntary switches there were. */
    public boolean areSwitchesCounted() {
        return areSwitchesCounted;
    }

    /** How many events the block has. */
    public int size() {
        return size;
    }

    /** The ordinal that the next block of the session gets. */
    public long nextBlock() {
        return nextBlock;
    }

    /** A code of {@link Operation}. */
    public int operation(int i) {
        return operations[i];
    }

    /** The thread's number. */
    public int thread(int i) {
        return threads[i];
    }

    /** An allocation's return, a release's begin, a mark's time; never falling. */
    public long timeNs(int i) {
        return timesNs[i];
    }

    /** What the real call took; 0 for a mark. */
    public long durationNs(int i) {
        return durationsNs[i];
    }

    /** Bytes asked for, by a failed call too; 0 for a release or mark. */
    public long sizeBytes(int i) {
        return Operation.isNamed(operations[i]) || operations[i] == Operation.TRIM
                ? 0
                : sizesBytes[i];
    }

    /** Alignment asked for, 0 for none. */
    public long alignmentBytes(int i) {
        return alignmentsBytes[i];
    }

    /** Ordinal of the block that the call made, or {@link #NO_BLOCK}. */
    public long made(int i) {
        return made[i];
    }

    /**
     * Ordinal of the block that was given to be released, {@link #NO_BLOCK}, {@link #UNKNOWN_BLOCK}
     * or {@link #PREEXISTING_BLOCK}. A reallocation that made no block released it only if the size
     * was 0.
     */
    public long released(int i) {
        return Operation.isNamed(operations[i]) ? NO_BLOCK : released[i];
    }

    /** Name of a phase mark or value. */
    public String name(int i) {
        if (!Operation.isNamed(operations[i])) {
            throw new IllegalArgumentException(
                    "event " + i + " is a " + Operation.name(operations[i]) + " and has no name");
        }
        return names.get((int) released[i]);
    }

    /** What a trim gave back, or {@link #UNKNOWN_BYTES}; may be below 0. */
    public long returnedBytes(int i) {
        return operations[i] == Operation.TRIM ? sizesBytes[i] : UNKNOWN_BYTES;
    }

    /** Number of a value. */
    public double value(int i) {
        return Double.longBitsToDouble(sizesBytes[i]);
    }

    /** What first writes into the block took that the event made; 0 when not measured. */
    public long firstWriteNs(int i) {
        return made[i] == NO_BLOCK || i > lastBeside ? 0 : beside[i];
    }

    /** Involuntary switches by a frame or tick mark; 0 when not counted. */
    public long involuntarySwitches(int i) {
        return Operation.isSpanMark(operations[i]) && i <= lastBeside ? beside[i] : 0;
    }
}
