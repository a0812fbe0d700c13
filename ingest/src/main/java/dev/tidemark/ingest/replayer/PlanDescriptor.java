package dev.tidemark.ingest.replayer;

/**
 * Layout of a plan file, as {@code ingest/replayer/plan_format.h} draws it. Little endian; times in
 * nanoseconds since the plan's origin.
 *
 * <pre>
 *     63                              32 31           16 15       8 7        0
 *     +---------------------------------+---------------+----------+----------+
 *  0  | slot (or as the operation says) |     flags     |log2 align|   kind   |
 *     +---------------------------------+---------------+----------+----------+
 *  8  | size (or as the operation says)                                       |
 *     +-----------------------------------------------------------------------+
 * </pre>
 */
final class PlanDescriptor {
    static final long MAGIC = 0x4e414c504b4d4454L;
    static final int VERSION = 1;
    static final int NO_SLOT = -1;

    static final int MALLOC = 1;
    static final int CALLOC = 2;
    static final int ALIGNED = 3;
    static final int NEW = 4;
    static final int REALLOC = 5;
    static final int RESIZED = 6;
    static final int FREE = 7;
    static final int DELETE = 8;
    static final int TRIM = 9;
    static final int AWAIT = 16;
    static final int WAIT = 17;
    static final int SPAN = 18;
    static final int MARK = 19;

    static final int FLAG_NO_BLOCK = 1;
    static final int FLAG_SAME_FRAME = 2;
    static final int FLAG_BY_NEXT_FRAME = 4;
    static final int FLAG_NEW_FRAME = 8;
    static final int FLAG_ODD_FRAME = 16;

    static final int HEADER_BYTES = 256;
    static final int HEADER_MAGIC = 0;
    static final int HEADER_VERSION = 8;
    static final int HEADER_HEADER_BYTES = 12;
    static final int HEADER_FILE_BYTES = 16;
    static final int HEADER_THREADS = 24;
    static final int HEADER_MARKS = 28;
    static final int HEADER_OPERATIONS = 32;
    static final int HEADER_CALLS = 40;
    static final int HEADER_STRETCHES = 48;
    static final int HEADER_SLOTS = 56;
    static final int HEADER_LEFTOVERS = 64;
    static final int HEADER_THREADS_OFFSET = 72;
    static final int HEADER_OPERATIONS_OFFSET = 80;
    static final int HEADER_MARKS_OFFSET = 88;
    static final int HEADER_LEFTOVERS_OFFSET = 96;
    static final int HEADER_DURATION_NS = 104;
    static final int HEADER_PEAK_LIVE_BYTES = 112;
    static final int HEADER_ALLOC_CALLS = 120;
    static final int HEADER_FREE_CALLS = 128;
    static final int HEADER_REALLOC_CALLS = 136;
    static final int HEADER_FAILED_CALLS = 144;
    static final int HEADER_ALLOC_BYTES = 152;
    static final int HEADER_FREE_BYTES = 160;

    static final int THREAD_BYTES = 128;
    static final int THREAD_NUMBER = 0;
    static final int THREAD_ENDS = 4;
    static final int THREAD_FIRST_OPERATION = 8;
    static final int THREAD_OPERATIONS = 16;
    static final int THREAD_FIRST_CALL = 24;
    static final int THREAD_CALLS = 32;
    static final int THREAD_FIRST_STRETCH = 40;
    static final int THREAD_STRETCHES = 48;
    static final int THREAD_FIRST_LEFTOVER = 56;
    static final int THREAD_LEFTOVERS = 64;
    static final int THREAD_BEGIN_NS = 72;
    static final int THREAD_END_NS = 80;
    static final int THREAD_FRAME_ARENA_BYTES = 88;
    static final int THREAD_DOUBLE_BUFFER_BYTES = 96;

    static final int OPERATION_BYTES = 16;
    static final int MARK_BYTES = 16;
    static final int MARK_THREAD = 8;
    static final int MARK_KIND = 12;

    private PlanDescriptor() {}

    /** An operation's first word. */
    static long word(int kind, int log2Alignment, int flags, int slot) {
        return kind | (long) log2Alignment << 8 | (long) flags << 16 | (long) slot << 32;
    }

    static int kind(long word) {
        return (int) word & 0xff;
    }

    static int log2Alignment(long word) {
        return (int) (word >>> 8) & 0xff;
    }

    static int flags(long word) {
        return (int) (word >>> 16) & 0xffff;
    }

    static int slot(long word) {
        return (int) (word >>> 32);
    }
}
