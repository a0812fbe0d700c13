package dev.tidemark.sql.verdict;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * What a comparison found.
 *
 * @param id UUID
 * @param madeAt when
 * @param request what was asked for
 * @param baseline its label
 * @param candidates their labels, those without complete rounds too
 * @param runs complete rounds by run, the older first; empty for a fleet
 * @param isFleet whether hosts were compared rather than rounds
 * @param rows by metric, phase and candidate, as they are printed
 * @param notMeasured metrics that none of these sessions has
 * @param sessionsUsed how many were compared
 * @param leftOut reasons by session
 */
public record Comparison(
        String id,
        Instant madeAt,
        ComparisonRequest request,
        String baseline,
        List<String> candidates,
        Map<String, Integer> runs,
        boolean isFleet,
        List<ComparisonRow> rows,
        List<String> notMeasured,
        int sessionsUsed,
        Map<String, String> leftOut) {
    /** Whether a finding can be made: there are two runs. */
    public boolean isConfirmed() {
        return runs.size() >= 2;
    }

    /** How many rows have this verdict; findings alone count as better or worse in two runs. */
    public long count(Verdict verdict) {
        return rows.stream().filter(row -> row.verdict() == verdict).count();
    }
}
