package dev.tidemark.ingest.merge;

/**
 * Takes events in their final order. Times are nanoseconds of the session and never fall; blocks
 * are ordinals, which count the blocks made from 0; threads are serials.
 */
public interface EventOutput {
    /** A malloc, calloc, aligned or new; codes of {@code dev.tidemark.schemas.Operation}. */
    void allocation(
            int operation,
            int thread,
            long timeNs,
            long durationNs,
            long sizeBytes,
            long alignmentBytes,
            boolean madeBlock);

    /**
     * A realloc.
     *
     * @param released the block given to it or a code of {@code EventColumns}
     * @param releasedBytes what is no longer live by it
     */
    void reallocation(
            int thread,
            long timeNs,
            long durationNs,
            long sizeBytes,
            boolean madeBlock,
            long released,
            long releasedBytes);

    /**
     * A free, delete or missed free.
     *
     * @param released the block or a code of {@code EventColumns}
     * @param releasedBytes its size; 0 when not known
     */
    void release(
            int operation,
            int thread,
            long timeNs,
            long durationNs,
            long released,
            long releasedBytes);

    /**
     * A frame or tick.
     *
     * @param source what made it, of {@code enum tidemark_mark}
     */
    void mark(int operation, int thread, long timeNs, int source);

    /** The start of a phase. */
    void phase(int thread, long timeNs, String name);

    /** A value that the program tells. */
    void value(int thread, long timeNs, String name, double value);

    /**
     * A trim of the allocator.
     *
     * @param returnedBytes resident bytes before less after, or {@code EventColumns.UNKNOWN_BYTES}
     */
    void trim(int thread, long timeNs, long durationNs, long returnedBytes);

    /** Events were lost here. */
    void dropped(long events);

    /** A thread's records follow. May come several times for a thread. */
    void threadSeen(int thread, int tid);

    /** A thread's name; may repeat. */
    void threadNamed(int thread, String name);

    /** A thread has ended. */
    void threadEnded(int thread);
}
