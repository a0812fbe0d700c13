package dev.tidemark.ingest.replayer;

/**
 * What calls add up to.
 *
 * @param allocCalls successful allocations, realloc of NULL among them
 * @param freeCalls releases
 * @param reallocCalls successful reallocations of a block
 * @param failedCalls calls that returned no block for a size over 0
 * @param allocBytes asked for by successful calls
 * @param freeBytes released
 */
public record CallTotals(
        long allocCalls,
        long freeCalls,
        long reallocCalls,
        long failedCalls,
        long allocBytes,
        long freeBytes) {
    static final CallTotals NONE = new CallTotals(0, 0, 0, 0, 0, 0);

    CallTotals plus(CallTotals other) {
        return new CallTotals(
                allocCalls + other.allocCalls,
                freeCalls + other.freeCalls,
                reallocCalls + other.reallocCalls,
                failedCalls + other.failedCalls,
                allocBytes + other.allocBytes,
                freeBytes + other.freeBytes);
    }
}
