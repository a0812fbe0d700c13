package dev.tidemark.replay;

/**
 * How things stood where a frame or tick ended. A number that is not known is {@link
 * SpanMark#UNKNOWN}.
 *
 * @param markingThreadNs what the thread that marked the end spent in the allocator
 * @param markingThreadFirstWriteNs what that thread's first writes took
 * @param involuntarySwitches of all threads since the session's start
 */
record SpanEnd(
        long ns,
        long liveBytes,
        long liveBlocks,
        long markingThreadNs,
        long markingThreadFirstWriteNs,
        long involuntarySwitches) {
    static final SpanEnd NONE = unmarked(0, 0, 0);

    /** The end of a span that nothing marked. */
    static SpanEnd unmarked(long ns, long liveBytes, long liveBlocks) {
        return new SpanEnd(
                ns, liveBytes, liveBlocks, SpanMark.UNKNOWN, SpanMark.UNKNOWN, SpanMark.UNKNOWN);
    }

    void write(StateWriter out) {
        out.writeLong(ns).writeLong(liveBytes).writeLong(liveBlocks);
        out.writeLong(markingThreadNs).writeLong(markingThreadFirstWriteNs);
        out.writeLong(involuntarySwitches);
    }

    static SpanEnd read(StateReader in) {
        return new SpanEnd(
                in.readLong(),
                in.readLong(),
                in.readLong(),
                in.readLong(),
                in.readLong(),
                in.readLong());
    }
}
