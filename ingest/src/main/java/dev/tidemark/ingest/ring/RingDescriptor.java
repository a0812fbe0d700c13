package dev.tidemark.ingest.ring;

/**
 * A ring: a page of its own, then the records.
 *
 * <pre>
 *     +-----------------------------+ 0     by whoever takes or gives back the ring
 *     | owner            tid        |
 *     +-----------------------------+ 128   by the owner
 *     | head  inflight  dropped     |
 *     | dropped_told                |
 *     +-----------------------------+ 256   by the agent
 *     | tail                        |
 *     +-----------------------------+ 4096
 *     | records                     |
 *     +-----------------------------+
 * </pre>
 */
final class RingDescriptor {
    static final int OWNER = 0;
    static final int TID = 8;
    static final int HEAD = 128;
    static final int INFLIGHT = 136;
    static final int DROPPED = 144;
    static final int DROPPED_TOLD = 152;
    static final int TAIL = 256;
    static final int RECORDS = 4096;

    private RingDescriptor() {}
}
