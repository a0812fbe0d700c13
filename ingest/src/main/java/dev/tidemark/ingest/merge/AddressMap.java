package dev.tidemark.ingest.merge;

/**
 * Live addresses to their block's ordinal and size: open addressing with linear probing, key and
 * values side by side so that a hit costs one cache miss, removal by shifting back so that there
 * are no tombstones. Address 0 is never in it. One thread.
 *
 * <pre>
 *     slot i:  | address (0: free) | ordinal | size in bytes |
 * </pre>
 */
final class AddressMap {
    private static final int WORDS = 3;
    private static final int ORDINAL = 1;
    private static final int SIZE = 2;
    private static final int FIRST_SLOTS = 1 << 12;
    private static final int MAX_SLOTS = 1 << 29;
    private static final long GOLDEN_RATIO = 0x9E37_79B9_7F4A_7C15L;

    private long[] slots = new long[FIRST_SLOTS * WORDS];
    private int mask = FIRST_SLOTS - 1;
    private int shift = Long.SIZE - Integer.numberOfTrailingZeros(FIRST_SLOTS);
    private int size;

    private long foundOrdinal;
    private long foundSizeBytes;

    /** Live addresses. */
    int size() {
        return size;
    }

    /** Ordinal of the block that the last find, remove or replacing put met. */
    long foundOrdinal() {
        return foundOrdinal;
    }

    /** Its size. */
    long foundSizeBytes() {
        return foundSizeBytes;
    }

    /** Whether the address is live. */
    boolean find(long address) {
        int slot = slotOf(address);
        return slots[slot * WORDS] == address && address != 0 && found(slot);
    }

    /** Removes an address; false when it was not live. */
    boolean remove(long address) {
        int slot = slotOf(address);
        if (slots[slot * WORDS] != address || address == 0) {
            return false;
        }
        found(slot);
        size--;
        shiftBackInto(slot);
        return true;
    }

    /**
     * Puts a live address.
     *
     * @return whether it was live already: the block is replaced, and the old one is in {@link
     *     #foundOrdinal()}
     */
    boolean put(long address, long ordinal, long sizeBytes) {
        int slot = slotOf(address);
        boolean wasLive = slots[slot * WORDS] == address;
        if (wasLive) {
            found(slot);
        }
        set(slot, address, ordinal, sizeBytes);
        if (!wasLive && ++size > (mask + 1) / 8 * 5) {
            grow();
        }
        return wasLive;
    }

    private boolean found(int slot) {
        foundOrdinal = slots[slot * WORDS + ORDINAL];
        foundSizeBytes = slots[slot * WORDS + SIZE];
        return true;
    }

    private void set(int slot, long address, long ordinal, long sizeBytes) {
        slots[slot * WORDS] = address;
        slots[slot * WORDS + ORDINAL] = ordinal;
        slots[slot * WORDS + SIZE] = sizeBytes;
    }

    /** The slot that holds the address, or the free one where it belongs. */
    private int slotOf(long address) {
        int slot = home(address);
        long found = slots[slot * WORDS];
        while (found != address && found != 0) {
            slot = (slot + 1) & mask;
            found = slots[slot * WORDS];
        }
        return slot;
    }

    private int home(long address) {
        return (int) ((address * GOLDEN_RATIO) >>> shift);
    }

    private void shiftBackInto(int gap) {
        int hole = gap;
        int slot = (hole + 1) & mask;
        while (slots[slot * WORDS] != 0) {
            int distanceFromHome = (slot - home(slots[slot * WORDS])) & mask;
            if (distanceFromHome >= ((slot - hole) & mask)) {
                System.arraycopy(slots, slot * WORDS, slots, hole * WORDS, WORDS);
                hole = slot;
            }
            slot = (slot + 1) & mask;
        }
        slots[hole * WORDS] = 0;
    }

    private void grow() {
        if (mask + 1 == MAX_SLOTS) {
            if (size == mask) {
                throw new IllegalStateException(
                        size + " live blocks: an agent can follow no more in one process");
            }
            return;
        }
        long[] old = slots;
        slots = new long[Math.multiplyExact(old.length, 2)];
        mask = mask * 2 + 1;
        shift--;
        for (int at = 0; at < old.length; at += WORDS) {
            if (old[at] != 0) {
                set(slotOf(old[at]), old[at], old[at + ORDINAL], old[at + SIZE]);
            }
        }
    }
}
