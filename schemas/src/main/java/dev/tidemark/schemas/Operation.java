package dev.tidemark.schemas;

/**
 * Codes of what happened, as they stand in bits 0 to 3 of {@code EventBlock.operation}. Plain ints,
 * since they are switched on some millions of times a second. Codes 14 and 15 are free; a reader
 * counts what it doesn't know and goes on.
 */
public final class Operation {
    public static final int UNKNOWN = 0;
    public static final int MALLOC = 1;
    public static final int CALLOC = 2;
    public static final int ALIGNED = 3;
    public static final int NEW = 4;
    public static final int REALLOC = 5;
    public static final int FREE = 6;
    public static final int DELETE = 7;

    /** A release that nobody saw, told by its address being handed out again. */
    public static final int MISSED_FREE = 8;

    public static final int FRAME = 9;
    public static final int TICK = 10;
    public static final int PHASE = 11;
    public static final int VALUE = 12;
    public static final int TRIM = 13;

    static final int CODE_MASK = 0xf;
    static final int NO_BLOCK_BIT = 1 << 4;
    static final int ALIGNMENT_BIT = 1 << 5;
    static final int ALL_BITS = CODE_MASK | NO_BLOCK_BIT | ALIGNMENT_BIT;

    private static final String[] NAMES = {
        "unknown",
        "malloc",
        "calloc",
        "aligned",
        "new",
        "realloc",
        "free",
        "delete",
        "missed free",
        "frame",
        "tick",
        "phase",
        "value",
        "trim",
        "unknown",
        "unknown"
    };

    private Operation() {}

    /** The name that the lake's {@code events.operation} uses. */
    public static String name(int operation) {
        return NAMES[operation & CODE_MASK];
    }

    /** Whether the call asks for a block, and so has a size. */
    public static boolean asksForBlock(int operation) {
        return operation >= MALLOC && operation <= REALLOC;
    }

    /** Whether the call may release a block. */
    public static boolean mayRelease(int operation) {
        return operation >= REALLOC && operation <= MISSED_FREE;
    }

    /** Whether it is a mark (frame, tick, phase) or value, not a call. */
    public static boolean isMark(int operation) {
        return operation >= FRAME && operation <= VALUE;
    }

    /** Whether it ends a frame or tick and begins the next. */
    public static boolean isSpanMark(int operation) {
        return operation == FRAME || operation == TICK;
    }

    static boolean isNamed(int operation) {
        return operation == PHASE || operation == VALUE;
    }
}
