package dev.tidemark.ingest.ring;

/**
 * A record of a ring: four little-endian words.
 *
 * <pre>
 *     63      56 55      48 47      40 39                                      0
 *     +------------------------------------------------------------------------+
 *  0  | begin: stamp before the real call                                      |
 *     +----------+----------+----------+---------------------------------------+
 *  1  |operation |  flags   |log2 align|  duration in stamp units, 40 bits     |
 *     +----------+----------+----------+---------------------------------------+
 *  2  | address (or as the operation says)                                     |
 *     +------------------------------------------------------------------------+
 *  3  | size    (or as the operation says)                                     |
 *     +------------------------------------------------------------------------+
 * </pre>
 */
public final class RecordDescriptor {
    /** Words of a record. */
    public static final int WORDS = 4;

    /** Bytes of a record. */
    public static final int BYTES = WORDS * Long.BYTES;

    public static final int BEGIN = 0;
    public static final int WORD = 1;
    public static final int ADDRESS = 2;
    public static final int SIZE = 3;

    public static final int MALLOC = 1;
    public static final int CALLOC = 2;
    public static final int ALIGNED = 3;
    public static final int NEW = 4;
    public static final int REALLOC_FROM = 5;
    public static final int REALLOC = 6;
    public static final int FREE = 7;
    public static final int DELETE = 8;
    public static final int TRIM = 9;
    public static final int FRAME = 16;
    public static final int TICK = 17;
    public static final int PHASE = 18;
    public static final int VALUE = 19;
    public static final int DROPPED = 24;
    public static final int THREAD = 25;
    public static final int NAME = 26;
    public static final int THREAD_END = 27;

    /** Index of a name for which the header's table had no room. */
    public static final long NAME_NONE = 0xffff_ffffL;

    /** A duration of this many stamps means that or longer. */
    public static final long DURATION_MAX = (1L << 40) - 1;

    static final int ALIGNMENT_SHIFT = 40;
    static final int FLAGS_SHIFT = 48;
    static final int OPERATION_SHIFT = 56;

    private static final long FAILED_BIT = 1L << FLAGS_SHIFT;

    private RecordDescriptor() {}

    /** The operation in a record's word. */
    public static int operation(long word) {
        return (int) (word >>> OPERATION_SHIFT);
    }

    /** Stamps that the real call took. */
    public static long duration(long word) {
        return word & DURATION_MAX;
    }

    /** Whether the call returned NULL for a size over 0, or threw. */
    public static boolean isFailed(long word) {
        return (word & FAILED_BIT) != 0;
    }

    /** Alignment asked for in bytes; 0 for none. */
    public static long alignmentBytes(long word) {
        int log2 = (int) (word >>> ALIGNMENT_SHIFT) & 0xff;
        return log2 == 0 ? 0 : 1L << Math.min(log2, Long.SIZE - 2);
    }

    /** Whether it releases a block and so is placed by its begin. */
    public static boolean isRelease(int operation) {
        return operation == FREE || operation == DELETE || operation == REALLOC_FROM;
    }

    /** Whether it hands out a block, if it succeeds. */
    public static boolean isMaking(int operation) {
        return (operation >= MALLOC && operation <= NEW) || operation == REALLOC;
    }

    /** The stamp that places a record in the session. */
    public static long key(long begin, long word) {
        return isRelease(operation(word)) ? begin : begin + duration(word);
    }

    /** A record's word. */
    public static long word(int operation, boolean isFailed, int log2Alignment, long duration) {
        return ((long) operation << OPERATION_SHIFT)
                | (isFailed ? FAILED_BIT : 0)
                | ((long) log2Alignment << ALIGNMENT_SHIFT)
                | Math.min(duration, DURATION_MAX);
    }
}
