package dev.tidemark.replay;

/**
 * What a session measured; the rest is NULL in its rows.
 *
 * @param isTimed how long calls took, all together
 * @param isEachCallTimed how long each call took
 * @param isFirstWriteTimed how long first writes into new memory took
 * @param isByBlock which call released which block
 */
record Measured(
        boolean isTimed, boolean isEachCallTimed, boolean isFirstWriteTimed, boolean isByBlock) {}
