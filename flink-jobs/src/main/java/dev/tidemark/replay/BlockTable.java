package dev.tidemark.replay;

import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The live blocks of a session by ordinal: a write-back cache of {@link BlockPage}s over a {@link
 * PageStore}.
 */
final class BlockTable {
    private static final int RECENT = 1024;
    private static final int YOUNG_PAGES = 8;

    private final PageStore store;
    private final Long2ObjectOpenHashMap<BlockPage> pages = new Long2ObjectOpenHashMap<>();
    private final @Nullable BlockPage[] recent = new BlockPage[RECENT];

    /** Whether the store may have pages that are not here. */
    private boolean isPartial;

    private long blocks;
    private long newestPage;
    private long generation;
    private long heapBytes;

    private long takenSize;
    private long takenSpans;
    private long takenOrigin;

    BlockTable(PageStore store) {
        this.store = store;
    }

    /** Says what a restored store has. */
    void restored(long blockCount, long newestPageNumber) {
        blocks = blockCount;
        newestPage = newestPageNumber;
        isPartial = true;
    }

    /** How many blocks are known to live. */
    long blocks() {
        return blocks;
    }

    /** Number of the page that the newest block lies in. */
    long newestPage() {
        return newestPage;
    }

    /** Bytes of the pages on the heap. */
    long heapBytes() {
        return heapBytes;
    }

    /**
     * Adds a block. One of that ordinal that was never released is forgotten.
     *
     * @param frame low 32 bits of the frame that makes it
     * @param tick low 32 bits of the tick that makes it
     * @param alignmentLog2 4 to 63
     */
    void put(long ordinal, long sizeBytes, int frame, int tick, int thread, int alignmentLog2) {
        long number = ordinal >>> BlockPage.BLOCK_BITS;
        BlockPage page = page(number);
        if (page == null) {
            page = new BlockPage(number);
            add(page);
        }
        if (number != newestPage) {
            advance(number);
        }
        long before = page.heapBytes();
        boolean isNew =
                page.put(
                        (int) ordinal & (BlockPage.BLOCKS - 1),
                        sizeBytes,
                        (long) frame << 32 | (tick & 0xffffffffL),
                        (long) thread << 32 | (long) alignmentLog2 << 1 | 1);
        heapBytes += page.heapBytes() - before;
        blocks += isNew ? 1 : 0;
        page.touched = generation;
    }

    /** Goes on to a page; those that are no longer young are packed, empty ones dropped. */
    private void advance(long number) {
        long lastOld = Math.min(newestPage, number - YOUNG_PAGES);
        for (long old = newestPage - YOUNG_PAGES + 1; old <= lastOld; old++) {
            BlockPage page = pages.get(old);
            if (page != null) {
                heapBytes -= page.heapBytes();
                page.grewOld();
                heapBytes += page.heapBytes();
            }
        }
        BlockPage last = pages.get(newestPage);
        newestPage = number;
        if (last != null && last.live() == 0) {
            drop(last);
        }
    }

    /**
     * Takes a block out; what is known of it is then in the {@code taken} methods.
     *
     * @return whether it was known
     */
    boolean take(long ordinal) {
        long number = ordinal >>> BlockPage.BLOCK_BITS;
        BlockPage page = page(number);
        int at = page == null ? -1 : page.find((int) ordinal & (BlockPage.BLOCKS - 1));
        if (page == null || at < 0) {
            return false;
        }
        takenSize = page.word(at);
        takenSpans = page.word(at + 1);
        takenOrigin = page.word(at + 2);
        long before = page.heapBytes();
        page.take(at, number <= newestPage - YOUNG_PAGES);
        heapBytes += page.heapBytes() - before;
        page.touched = generation;
        blocks--;
        if (page.live() == 0 && number != newestPage) {
            drop(page);
        }
        return true;
    }

    long takenSize() {
        return takenSize;
    }

    int takenFrame() {
        return (int) (takenSpans >> 32);
    }

    int takenTick() {
        return (int) takenSpans;
    }

    int takenThread() {
        return (int) (takenOrigin >>> 32);
    }

    /** Its size rounded up to the larger of 16 and its alignment. */
    long takenRounded() {
        long mask = (1L << ((int) takenOrigin >> 1)) - 1;
        return (takenSize + mask) & ~mask;
    }

    private @Nullable BlockPage page(long number) {
        int place = (int) number & (RECENT - 1);
        BlockPage page = recent[place];
        if (page != null && page.number == number) {
            return page;
        }
        page = pages.get(number);
        if (page == null && isPartial) {
            byte[] stored = store.get(PageKeys.BLOCKS | number);
            if (stored != null) {
                page = BlockPage.fromBytes(number, stored);
                add(page);
            }
        }
        if (page != null) {
            recent[place] = page;
        }
        return page;
    }

    private void add(BlockPage page) {
        pages.put(page.number, page);
        heapBytes += page.heapBytes();
        page.touched = generation;
        recent[(int) page.number & (RECENT - 1)] = page;
    }

    private void drop(BlockPage page) {
        uncache(page);
        if (page.isStored) {
            store.remove(PageKeys.BLOCKS | page.number);
        }
    }

    private void uncache(BlockPage page) {
        pages.remove(page.number);
        heapBytes -= page.heapBytes();
        int place = (int) page.number & (RECENT - 1);
        if (recent[place] == page) {
            recent[place] = null;
        }
    }

    /** Writes the pages that changed. */
    void flush() {
        generation++;
        for (BlockPage page : pages.values()) {
            write(page);
        }
    }

    private void write(BlockPage page) {
        if (page.isDirty) {
            store.put(PageKeys.BLOCKS | page.number, page.toBytes());
            page.isDirty = false;
            page.isStored = true;
        }
    }

    /** Writes pages out and sets them free, those not touched for longest first. */
    void shrink(long toHeapBytes) {
        generation++;
        List<BlockPage> oldest = new ArrayList<>(pages.values());
        oldest.sort(Comparator.comparingLong(page -> page.touched));
        for (BlockPage page : oldest) {
            if (heapBytes <= toHeapBytes) {
                return;
            }
            write(page);
            uncache(page);
            isPartial = true;
        }
    }

    /** Forgets every block. */
    void clear() {
        List<Long> stored = new ArrayList<>();
        for (long key : store.keys()) {
            if (PageKeys.isKind(key, PageKeys.BLOCKS)) {
                stored.add(key);
            }
        }
        stored.forEach(store::remove);
        pages.clear();
        Arrays.fill(recent, null);
        blocks = 0;
        heapBytes = 0;
        isPartial = false;
    }
}
