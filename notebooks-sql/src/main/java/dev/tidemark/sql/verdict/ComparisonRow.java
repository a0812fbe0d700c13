package dev.tidemark.sql.verdict;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * One candidate, metric and phase.
 *
 * @param metric what is compared
 * @param phase empty for the whole session
 * @param clock what measured durations
 * @param roundKind plain or profiled; empty of live sessions
 * @param baseline side
 * @param candidate side
 * @param runs what each run says, the older first; empty where the metric was not measured
 * @param finding what they say together; empty where no run says anything
 * @param baselineRange least and most of all its sessions
 * @param candidateRange least and most of all its sessions
 * @param floor median of the floor arm's sessions; empty where there is none
 * @param reason why there is no finding to speak of; empty when there is
 */
public record ComparisonRow(
        Metric metric,
        String phase,
        String clock,
        String roundKind,
        String baseline,
        String candidate,
        List<RunRow> runs,
        Optional<Finding> finding,
        Range baselineRange,
        Range candidateRange,
        OptionalDouble floor,
        String reason) {
    /** Least, median and most of some sessions' values. */
    public record Range(int sessions, double least, double median, double most) {}

    /** What one run says. */
    public record RunRow(String runId, Judgement judgement) {}

    /** What all runs say together. */
    public Verdict verdict() {
        return finding.map(Finding::verdict).orElse(Verdict.NO_VERDICT);
    }

    /** Whether that stands in two runs. */
    public boolean isFinding() {
        return finding.map(Finding::isFinding).orElse(false);
    }

    /** The largest effect that one of the runs would still have missed, mostly. */
    public OptionalDouble detectableRatio() {
        return runs.stream().mapToDouble(run -> run.judgement().detectableRatio()).max();
    }

    ComparisonRow with(Finding found) {
        return new ComparisonRow(
                metric,
                phase,
                clock,
                roundKind,
                baseline,
                candidate,
                runs,
                Optional.of(found),
                baselineRange,
                candidateRange,
                floor,
                found.reason());
    }
}
