package dev.tidemark.replay;

import dev.tidemark.schemas.lake.LakeTables;
import it.unimi.dsi.fastutil.ints.Int2IntOpenHashMap;
import java.util.Arrays;
import java.util.BitSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The threads of a session, in order of appearance, with their sums over the session and within the
 * current frame and tick. Past {@link #MAX_THREADS}, threads share an entry of number -1.
 */
final class ThreadTable {
    static final int MAX_THREADS = 1 << 18;
    static final int MAX_NAME = 256;

    private static final int OTHERS = -1;
    private static final int VERSION = 2;
    private static final int PAGE_BITS = 6;
    private static final int NONE = -1;

    private final PageStore store;
    private final Int2IntOpenHashMap indexes = new Int2IntOpenHashMap();
    private final BitSet dirtyPages = new BitSet();

    private int count;
    private int[] numbers = new int[16];
    private @Nullable String[] names = new String[16];
    private Sums sums = new Sums(16);

    ThreadTable(PageStore store) {
        this.store = store;
        indexes.defaultReturnValue(NONE);
    }

    /** One entry a thread; grown together. */
    private static final class Sums {
        long[] allocCalls;
        long[] freeCalls;
        long[] allocBytes;
        long[] allocatorNs;
        long[] crossFrees;
        long[] calls;
        long[] frame;
        long[] frameNs;
        long[] frameFirstWriteNs;
        long[] tick;
        long[] tickNs;
        long[] tickFirstWriteNs;

        Sums(int capacity) {
            allocCalls = new long[capacity];
            freeCalls = new long[capacity];
            allocBytes = new long[capacity];
            allocatorNs = new long[capacity];
            crossFrees = new long[capacity];
            calls = new long[capacity];
            frame = new long[capacity];
            frameNs = new long[capacity];
            frameFirstWriteNs = new long[capacity];
            tick = new long[capacity];
            tickNs = new long[capacity];
            tickFirstWriteNs = new long[capacity];
        }

        void grow(int capacity) {
            allocCalls = Arrays.copyOf(allocCalls, capacity);
            freeCalls = Arrays.copyOf(freeCalls, capacity);
            allocBytes = Arrays.copyOf(allocBytes, capacity);
            allocatorNs = Arrays.copyOf(allocatorNs, capacity);
            crossFrees = Arrays.copyOf(crossFrees, capacity);
            calls = Arrays.copyOf(calls, capacity);
            frame = Arrays.copyOf(frame, capacity);
            frameNs = Arrays.copyOf(frameNs, capacity);
            frameFirstWriteNs = Arrays.copyOf(frameFirstWriteNs, capacity);
            tick = Arrays.copyOf(tick, capacity);
            tickNs = Arrays.copyOf(tickNs, capacity);
            tickFirstWriteNs = Arrays.copyOf(tickFirstWriteNs, capacity);
        }
    }

    /** The thread's index, new if need be. */
    int indexOf(int thread) {
        int index = indexes.get(thread);
        if (index != NONE) {
            return index;
        }
        return count < MAX_THREADS ? add(thread) : othersIndex();
    }

    private int othersIndex() {
        int index = indexes.get(OTHERS);
        return index == NONE ? add(OTHERS) : index;
    }

    private int add(int thread) {
        if (count == numbers.length) {
            numbers = Arrays.copyOf(numbers, count * 2);
            names = Arrays.copyOf(names, count * 2);
            sums.grow(count * 2);
        }
        numbers[count] = thread;
        indexes.put(thread, count);
        dirtyPages.set(count >> PAGE_BITS);
        return count++;
    }

    /** Names a thread; the last name counts. */
    void name(int thread, @Nullable String name) {
        int index = indexOf(thread);
        names[index] = name == null ? null : cut(name);
        dirtyPages.set(index >> PAGE_BITS);
    }

    static String cut(String name) {
        return name.length() <= MAX_NAME ? name : name.substring(0, MAX_NAME);
    }

    /** Goes to a thread, before calls of its are charged within this frame and tick. */
    void enter(int index, long frame, long tick) {
        dirtyPages.set(index >> PAGE_BITS);
        if (sums.frame[index] != frame) {
            sums.frame[index] = frame;
            sums.frameNs[index] = 0;
            sums.frameFirstWriteNs[index] = 0;
        }
        if (sums.tick[index] != tick) {
            sums.tick[index] = tick;
            sums.tickNs[index] = 0;
            sums.tickFirstWriteNs[index] = 0;
        }
    }

    void called(int index, long durationNs) {
        sums.calls[index]++;
        sums.allocatorNs[index] += durationNs;
        sums.frameNs[index] += durationNs;
        sums.tickNs[index] += durationNs;
    }

    void allocated(int index, long sizeBytes, boolean isNewBlock) {
        sums.allocCalls[index] += isNewBlock ? 1 : 0;
        sums.allocBytes[index] += sizeBytes;
    }

    /** First writes into a block just made took so long. */
    void wrote(int index, long ns) {
        sums.frameFirstWriteNs[index] += ns;
        sums.tickFirstWriteNs[index] += ns;
    }

    /** Charges many calls at once. */
    void add(int index, CallTotals change) {
        called(index, change.allocatorNs);
        wrote(index, change.firstWriteNs);
        sums.allocCalls[index] += change.allocCalls;
        sums.allocBytes[index] += change.allocBytes;
        sums.freeCalls[index] += change.freeCalls;
    }

    void freed(int index) {
        sums.freeCalls[index]++;
    }

    void freedAcross(int index) {
        sums.crossFrees[index]++;
    }

    /** What a thread spent in the allocator in this frame; 0 for one that made no call in it. */
    long frameNs(int thread, long frame) {
        int index = indexes.get(thread);
        return index != NONE && sums.frame[index] == frame ? sums.frameNs[index] : 0;
    }

    /** What a thread spent in the allocator in this tick; 0 for one that made no call in it. */
    long tickNs(int thread, long tick) {
        int index = indexes.get(thread);
        return index != NONE && sums.tick[index] == tick ? sums.tickNs[index] : 0;
    }

    /** Likewise for first writes in this frame. */
    long frameFirstWriteNs(int thread, long frame) {
        int index = indexes.get(thread);
        return index != NONE && sums.frame[index] == frame ? sums.frameFirstWriteNs[index] : 0;
    }

    /** Likewise for first writes in this tick. */
    long tickFirstWriteNs(int thread, long tick) {
        int index = indexes.get(thread);
        return index != NONE && sums.tick[index] == tick ? sums.tickFirstWriteNs[index] : 0;
    }

    /** Threads that called the allocator. */
    long callers() {
        long callers = 0;
        for (int i = 0; i < count; i++) {
            callers += sums.calls[i] > 0 ? 1 : 0;
        }
        return callers;
    }

    /** A row of {@code threads} for each, to be built. */
    void rows(Measured measured, Consumer<RowBuilder> to) {
        for (int i = 0; i < count; i++) {
            to.accept(
                    RowBuilder.of(LakeTables.THREADS)
                            .set("thread", numbers[i])
                            .set("name", names[i])
                            .set("alloc_calls", sums.allocCalls[i])
                            .set("free_calls", sums.freeCalls[i])
                            .set("alloc_bytes", sums.allocBytes[i])
                            .setIf(measured.isTimed(), "allocator_ns", sums.allocatorNs[i])
                            .setIf(measured.isByBlock(), "cross_thread_frees", sums.crossFrees[i]));
        }
    }

    int count() {
        return count;
    }

    /** Writes the pages that changed. */
    void flush() {
        for (int page = dirtyPages.nextSetBit(0); page >= 0; ) {
            StateWriter out = new StateWriter().writeLong(VERSION);
            int end = Math.min(count, (page + 1) << PAGE_BITS);
            for (int i = page << PAGE_BITS; i < end; i++) {
                out.writeLong(numbers[i]).writeString(names[i]);
                out.writeLong(sums.allocCalls[i]).writeLong(sums.freeCalls[i]);
                out.writeLong(sums.allocBytes[i]).writeLong(sums.allocatorNs[i]);
                out.writeLong(sums.crossFrees[i]).writeLong(sums.calls[i]);
                out.writeLong(sums.frame[i]).writeLong(sums.frameNs[i]);
                out.writeLong(sums.frameFirstWriteNs[i]);
                out.writeLong(sums.tick[i]).writeLong(sums.tickNs[i]);
                out.writeLong(sums.tickFirstWriteNs[i]);
            }
            store.put(PageKeys.THREADS | page, out.toByteArray());
            page = dirtyPages.nextSetBit(page + 1);
        }
        dirtyPages.clear();
    }

    /** Reads so many threads from the store. */
    void restore(int threads) {
        for (int page = 0; page << PAGE_BITS < threads; page++) {
            byte[] stored = store.get(PageKeys.THREADS | page);
            if (stored == null) {
                throw new IllegalStateException(
                        "page " + page + " of " + threads + " threads is not in the checkpoint");
            }
            StateReader in = StateReader.of(stored, VERSION, "a page of threads");
            int end = Math.min(threads, (page + 1) << PAGE_BITS);
            for (int i = page << PAGE_BITS; i < end; i++) {
                read(in, add(in.readInt()));
            }
        }
        dirtyPages.clear();
    }

    private void read(StateReader in, int i) {
        names[i] = in.readString();
        sums.allocCalls[i] = in.readLong();
        sums.freeCalls[i] = in.readLong();
        sums.allocBytes[i] = in.readLong();
        sums.allocatorNs[i] = in.readLong();
        sums.crossFrees[i] = in.readLong();
        sums.calls[i] = in.readLong();
        sums.frame[i] = in.readLong();
        sums.frameNs[i] = in.readLong();
        sums.frameFirstWriteNs[i] = in.readLong();
        sums.tick[i] = in.readLong();
        sums.tickNs[i] = in.readLong();
        sums.tickFirstWriteNs[i] = in.readLong();
    }
}
