package dev.tidemark.replay;

/** Keys of a session's pages: what a page is in the top four bits, which one in the others. */
final class PageKeys {
    /** Where the session stands: one page. */
    static final long HEAD = 0;

    /** The record that began it: one page. */
    static final long START = 1L << 60;

    /** Live blocks, by ordinal / 1,024. */
    static final long BLOCKS = 2L << 60;

    /** Threads, by index / 64. */
    static final long THREADS = 3L << 60;

    /** Records held back, by slot. */
    static final long HELD = 4L << 60;

    private static final long KIND = 15L << 60;

    private PageKeys() {}

    static boolean isKind(long key, long kind) {
        return (key & KIND) == kind;
    }
}
