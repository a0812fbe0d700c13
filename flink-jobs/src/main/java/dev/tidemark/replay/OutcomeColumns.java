package dev.tidemark.replay;

import dev.tidemark.schemas.avro.ReplayOutcome;

/** The columns of {@code sessions} that a replay's end says. */
final class OutcomeColumns {
    private OutcomeColumns() {}

    /** Sets them; what was not measured is NULL, whatever samples say. */
    static void fill(RowBuilder row, ReplayOutcome outcome) {
        Double late = outcome.getLateRatio();
        row.setIf(late != null && Double.isFinite(late), "late_ratio", late)
                .set("baseline_rss_bytes", outcome.getBaselineRssBytes())
                .set("peak_rss_bytes", outcome.getPeakRssBytes())
                .set("retained_bytes", outcome.getRetainedBytes())
                .set("retained_1s_bytes", outcome.getRetained1sBytes())
                .set("retained_5s_bytes", outcome.getRetained5sBytes())
                .set("retained_15s_bytes", outcome.getRetained15sBytes())
                .set("retained_after_calls_bytes", outcome.getRetainedAfterCallsBytes())
                .set("return_half_ns", outcome.getReturnHalfNs());
    }
}
