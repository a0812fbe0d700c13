package dev.tidemark.ingest.merge;

/**
 * What a merge could not take as it came.
 *
 * @param timeInversions events placed later than their key, or moved before it, to keep order
 * @param missedFrees allocations of an address that was live, their release never seen
 * @param unknownFrees releases of addresses that were never handed out
 * @param preexistingFrees releases of what a continued session's process had before
 * @param unreadableRecords records that say nothing this agent knows
 */
public record MergeCounts(
        long timeInversions,
        long missedFrees,
        long unknownFrees,
        long preexistingFrees,
        long unreadableRecords) {}
