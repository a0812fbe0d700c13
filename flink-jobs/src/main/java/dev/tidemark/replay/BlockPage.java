package dev.tidemark.replay;

import java.util.Arrays;

/**
 * The live blocks among 1,024 ordinals. Dense, a block has the three words of its slot; packed,
 * live blocks lie close together, and their slots, ascending, beside them. Dead is a last word of
 * 0.
 *
 * <pre>
 *   word 0   size, bytes
 *   word 1   frame made (low 32 bits) &lt;&lt; 32 | tick made (low 32 bits)
 *   word 2   thread &lt;&lt; 32 | log2 of the alignment &lt;&lt; 1 | 1
 * </pre>
 */
final class BlockPage {
    static final int BLOCKS = 1024;
    static final int BLOCK_BITS = 10;
    static final int WORDS = 3;

    private static final int VERSION = 1;
    private static final short[] DENSE = new short[0];
    private static final int OBJECT_BYTES = 128;

    final long number;
    boolean isDirty;
    boolean isStored;
    long touched;

    private short[] slots = DENSE;
    private long[] words;
    private int live;

    /** An empty page, dense. */
    BlockPage(long number) {
        this.number = number;
        words = new long[BLOCKS * WORDS];
    }

    private BlockPage(long number, short[] slots, long[] words) {
        this.number = number;
        this.slots = slots;
        this.words = words;
        live = slots.length;
    }

    int live() {
        return live;
    }

    /** What the page takes on the heap, with its entry in a map. */
    long heapBytes() {
        return OBJECT_BYTES + 8L * words.length + 2L * slots.length;
    }

    /**
     * Puts a block into a slot.
     *
     * @return whether the slot was free
     */
    boolean put(int slot, long word0, long word1, long word2) {
        if (slots != DENSE) {
            unpack();
        }
        int at = slot * WORDS;
        boolean wasFree = words[at + 2] == 0;
        words[at] = word0;
        words[at + 1] = word1;
        words[at + 2] = word2;
        live += wasFree ? 1 : 0;
        isDirty = true;
        return wasFree;
    }

    /** Index of a live block's first word, or -1. */
    int find(int slot) {
        int at = slots == DENSE ? slot * WORDS : Arrays.binarySearch(slots, (short) slot) * WORDS;
        return at < 0 || words[at + 2] == 0 ? -1 : at;
    }

    long word(int at) {
        return words[at];
    }

    /**
     * Takes out the block whose first word is at {@code at}.
     *
     * @param isOld whether the page gets no more blocks, so that packing pays
     */
    void take(int at, boolean isOld) {
        words[at + 2] = 0;
        live--;
        isDirty = true;
        if (isOld) {
            grewOld();
        }
    }

    /** Packs the page when that saves a quarter; it gets no more blocks. */
    void grewOld() {
        int room = words.length / WORDS;
        if (live > 0 && live <= room - room / 4 && live < room) {
            pack();
        }
    }

    private void pack() {
        short[] packedSlots = new short[live];
        long[] packedWords = new long[live * WORDS];
        int to = 0;
        for (int i = 0; i < words.length / WORDS; i++) {
            if (words[i * WORDS + 2] != 0) {
                packedSlots[to] = slotAt(i);
                System.arraycopy(words, i * WORDS, packedWords, to * WORDS, WORDS);
                to++;
            }
        }
        slots = packedSlots;
        words = packedWords;
    }

    private void unpack() {
        long[] dense = new long[BLOCKS * WORDS];
        for (int i = 0; i < slots.length; i++) {
            System.arraycopy(words, i * WORDS, dense, slots[i] * WORDS, WORDS);
        }
        slots = DENSE;
        words = dense;
    }

    private short slotAt(int index) {
        return slots == DENSE ? (short) index : slots[index];
    }

    /** The page as it is stored: a version, then slot, size, frame, tick, thread as differences. */
    byte[] toBytes() {
        StateWriter out = new StateWriter();
        out.writeLong(VERSION).writeLong(live);
        int slot = 0;
        long frame = 0;
        long tick = 0;
        for (int i = 0; i < words.length / WORDS; i++) {
            int at = i * WORDS;
            if (words[at + 2] != 0) {
                out.writeLong(slotAt(i) - slot);
                out.writeLong(words[at]);
                out.writeLong((words[at + 1] >> 32) - frame);
                out.writeLong((int) words[at + 1] - tick);
                out.writeLong(words[at + 2] >>> 32);
                out.writeLong(words[at + 2] & 0xffffffffL);
                slot = slotAt(i);
                frame = words[at + 1] >> 32;
                tick = (int) words[at + 1];
            }
        }
        return out.toByteArray();
    }

    /** Reads a stored page; it comes packed. */
    static BlockPage fromBytes(long number, byte[] bytes) {
        StateReader in = StateReader.of(bytes, VERSION, "a page of live blocks");
        short[] slots = new short[in.readInt()];
        long[] words = new long[slots.length * WORDS];
        int slot = 0;
        long frame = 0;
        long tick = 0;
        for (int i = 0; i < slots.length; i++) {
            slot += in.readInt();
            slots[i] = (short) slot;
            words[i * WORDS] = in.readLong();
            frame += in.readLong();
            tick += in.readLong();
            words[i * WORDS + 1] = frame << 32 | (tick & 0xffffffffL);
            words[i * WORDS + 2] = in.readLong() << 32 | in.readLong();
        }
        BlockPage page = new BlockPage(number, slots, words);
        page.isStored = true;
        return page;
    }
}
