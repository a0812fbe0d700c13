package dev.tidemark.sql.verdict;

import java.util.List;

/**
 * Sessions that were measured in one way. Those of another are never compared with them.
 *
 * @param clock what measured durations
 * @param detail events or counters
 * @param roundKind plain or profiled; none of a live session
 * @param touch what a replay wrote into new blocks
 * @param pacing how a replay kept time
 */
record Stratum(String clock, String detail, String roundKind, String touch, String pacing) {
    static final List<String> COLUMNS = List.of("clock", "detail", "round_kind", "touch", "pacing");

    static final String PLAIN = "plain";
    static final String PROFILED = "profiled";

    /** Best first: what a game's memory is like at first use. */
    private static final List<String> TOUCHES = List.of("all", "first", "none");

    static Stratum of(SessionRow row) {
        return new Stratum(
                row.field("clock"),
                row.field("detail"),
                row.field("round_kind"),
                row.field("touch"),
                row.field("pacing"));
    }

    int touchRank() {
        int rank = TOUCHES.indexOf(touch);
        return rank < 0 ? TOUCHES.size() : rank;
    }

    private List<String> values() {
        return List.of(clock, detail, roundKind, touch, pacing);
    }

    /** How it differs: {@code clock live, the comparison has replay}. */
    String difference(Stratum other) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < COLUMNS.size(); i++) {
            if (!values().get(i).equals(other.values().get(i))) {
                text.append(text.isEmpty() ? "" : "; ")
                        .append(
                                Comparability.differs(
                                        COLUMNS.get(i), values().get(i), other.values().get(i)));
            }
        }
        return text.toString();
    }

    /** Whether sessions measured so can have a metric at all. */
    boolean has(Metric metric) {
        return metric.clocks().contains(clock)
                && (metric.detail().equals("any") || metric.detail().equals(detail))
                && !(metric.rounds().equals(PROFILED) && roundKind.equals(PLAIN));
    }
}
