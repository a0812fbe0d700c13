package dev.tidemark.ingest.replayer;

import java.util.Arrays;

/** One thread's operations as they are planned. */
final class ThreadPlan {
    private static final long LEAST_UNIT = 16;

    private final int number;
    private long[] words = new long[64];
    private int size;
    private int[] free = new int[16];
    private int freeSlots;
    private int usedSlots;
    private int[] leftovers = new int[0];
    private int left;

    private final int firstSlot;
    private long calls;
    private long stretches;
    private int span = -1;
    private int frame = -1;
    private long beginNs;
    private long endNs;

    private long frameBytes;
    private long doubleBytes;
    private long mostFrameBytes;
    private long mostDoubleBytes;

    ThreadPlan(int number, int firstSlot) {
        this.number = number;
        this.firstSlot = firstSlot;
    }

    /** Adds an operation. */
    void add(int kind, int log2Alignment, int flags, int slot, long size8) {
        if (size + 2 > words.length) {
            words = Arrays.copyOf(words, words.length * 2);
        }
        words[size++] = PlanDescriptor.word(kind, log2Alignment, flags, slot);
        words[size++] = size8;
    }

    /**
     * Adds what stands before a call or mark: the wait for its span or after a gap. The first
     * operation of a thread opens a span.
     *
     * @param spanBeginNs when the span began
     * @param gapNs shorter gaps are not waited for
     */
    void enter(int span, int frame, long spanBeginNs, long atNs, long gapNs) {
        boolean isFirst = this.span < 0;
        boolean isGap = isFirst || atNs - endNs >= gapNs;
        if (isFirst) {
            beginNs = atNs;
        }
        if (this.span != span) {
            int flags = (frame & 1) != 0 ? PlanDescriptor.FLAG_ODD_FRAME : 0;
            if (this.frame != frame) {
                flags |= PlanDescriptor.FLAG_NEW_FRAME;
                frameBytes = 0;
                doubleBytes = 0;
            }
            add(PlanDescriptor.SPAN, 0, flags, span, Math.max(0, isGap ? atNs : spanBeginNs));
            this.span = span;
            this.frame = frame;
            stretches++;
        } else if (isGap) {
            add(PlanDescriptor.WAIT, 0, 0, 0, atNs);
        }
    }

    void called(long endNs) {
        calls++;
        this.endNs = Math.max(this.endNs, endNs);
    }

    void marked(long atNs) {
        endNs = Math.max(endNs, atNs);
    }

    /** A slot for a block that it makes. */
    int takeSlot(boolean isRemote) {
        return isRemote || freeSlots == 0 ? firstSlot + usedSlots++ : free[--freeSlots];
    }

    /** Gives back the slot of a block that it made and released itself. */
    void returnSlot(int slot) {
        if (freeSlots == free.length) {
            free = Arrays.copyOf(free, freeSlots * 2);
        }
        free[freeSlots++] = slot;
    }

    void leave(int slot) {
        if (left == leftovers.length) {
            leftovers = Arrays.copyOf(leftovers, Math.max(16, left * 2));
        }
        leftovers[left++] = slot;
    }

    /** Counts what a block takes in a stack that is reset each frame. */
    void stack(int arenaFlags, long sizeBytes, int log2Alignment) {
        long unit = Math.max(LEAST_UNIT, 1L << log2Alignment);
        long bytes = (Math.max(1, sizeBytes) + unit - 1) / unit * unit + unit - LEAST_UNIT;
        if ((arenaFlags & PlanDescriptor.FLAG_SAME_FRAME) != 0) {
            frameBytes += bytes;
            mostFrameBytes = Math.max(mostFrameBytes, frameBytes);
        }
        if ((arenaFlags & PlanDescriptor.FLAG_BY_NEXT_FRAME) != 0) {
            doubleBytes += bytes;
            mostDoubleBytes = Math.max(mostDoubleBytes, doubleBytes);
        }
    }

    int number() {
        return number;
    }

    boolean isUsed() {
        return size > 0;
    }

    /** Words of the operations: two each. */
    long word(int index) {
        return words[index];
    }

    int words() {
        return size;
    }

    int leftover(int index) {
        return leftovers[index];
    }

    int leftovers() {
        return left;
    }

    long operations() {
        return size / 2;
    }

    long calls() {
        return calls;
    }

    long stretches() {
        return stretches;
    }

    long beginNs() {
        return beginNs;
    }

    long endNs() {
        return endNs;
    }

    long frameArenaBytes() {
        return mostFrameBytes;
    }

    long doubleBufferBytes() {
        return mostDoubleBytes;
    }
}
