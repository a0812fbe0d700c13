package dev.tidemark.sql.verdict;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a comparison must know of a session.
 *
 * @param id of the session
 * @param runId of its run; null outside of one
 * @param round within the run; null outside of a bench
 * @param startedMicros since 1970
 * @param unusableReason why no comparison may use it; null when it may
 * @param nullOf the arm that it repeats as the null arm; null unless it does
 * @param fields the other columns of its row that are not NULL, by name
 */
record SessionRow(
        String id,
        @Nullable String runId,
        @Nullable Integer round,
        long startedMicros,
        @Nullable String unusableReason,
        @Nullable String nullOf,
        Map<String, String> fields) {
    /** What is said of a field that is NULL. */
    static final String NOTHING = "none";

    String field(String name) {
        return fields.getOrDefault(name, NOTHING);
    }

    boolean isOfARound() {
        return runId != null && round != null;
    }
}
