package dev.tidemark.replay;

/**
 * What a row of {@code sessions} says about itself.
 *
 * @param loadId the load
 * @param loadedAtUs when the load began, microseconds since 1970 UTC
 * @param isWholeLoad whether the load has every record from the first on
 * @param revision counts the session's rows within the load
 * @param losses how many times it was lost so far
 */
record RevisionFacts(
        String loadId, long loadedAtUs, boolean isWholeLoad, long revision, long losses) {
    void fill(RowBuilder row) {
        row.set("load_id", loadId)
                .set("loaded_at", loadedAtUs)
                .set("is_whole_load", isWholeLoad)
                .set("revision", revision)
                .set("losses", losses);
    }
}
