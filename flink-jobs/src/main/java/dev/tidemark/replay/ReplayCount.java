package dev.tidemark.replay;

/** What a replay counts beside its rows. */
public enum ReplayCount {
    /** Events replayed, marks included. */
    EVENTS,
    /** Successful allocations and reallocations. */
    ALLOCATIONS,
    /** Nanoseconds in the allocator. */
    ALLOCATOR_NS,
    /** Events that the sender says were dropped. */
    DROPPED_EVENTS,
    /** Events of an operation that this build doesn't know, skipped. */
    UNKNOWN_OPERATIONS,
    /** Records of a payload that this build doesn't know, skipped. */
    UNKNOWN_PAYLOADS,
    /** Records seen before, of a lower epoch, or of a session that is closed, skipped. */
    REPEATED_RECORDS,
    /** Records that never came. */
    MISSING_RECORDS,
    /** Blocks forgotten because far more were known to live than the sender says. */
    FORGOTTEN_BLOCKS
}
