package dev.tidemark.replay;

import org.jspecify.annotations.Nullable;

/**
 * Where a session keeps what must outlive the process: byte arrays by number. Arrays are handed
 * over, neither side changes one afterwards. One store belongs to one session and one thread.
 */
public interface PageStore {
    /** What was put, or null. */
    byte @Nullable [] get(long key);

    /** Stores a page in place of the one before. */
    void put(long key, byte[] page);

    /** Forgets a page; nothing happens when there is none. */
    void remove(long key);

    /** The keys of all pages, for a walk that doesn't change the store. */
    Iterable<Long> keys();

    /** Forgets everything. */
    void clear();
}
