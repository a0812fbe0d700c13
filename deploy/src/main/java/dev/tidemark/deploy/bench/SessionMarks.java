package dev.tidemark.deploy.bench;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a bench says in a session's head: labels {@code null} (the baseline's name), {@code
 * discarded}, {@code void}, {@code refused} (why, each) and {@code attempt}, where they apply.
 *
 * @param runId the run
 * @param round from 0; null when discarded
 * @param arm the arm's label
 * @param labels as above
 */
public record SessionMarks(
        String runId, @Nullable Integer round, String arm, Map<String, String> labels) {

    static SessionMarks of(
            BenchPlan plan, SessionTask task, SessionOutcome outcome, @Nullable String whyVoid) {
        Map<String, String> labels = new LinkedHashMap<>();
        labels.put("bench", plan.id());
        if (task.arm().isNull()) {
            labels.put("null", plan.baseline().name());
        }
        if (task.isDiscarded()) {
            labels.put("discarded", "first session of its run");
        }
        if (task.attempt() > 0) {
            labels.put("attempt", Integer.toString(task.attempt() + 1));
        }
        if (outcome.refused() != null) {
            labels.put("refused", outcome.refused());
        }
        if (whyVoid != null) {
            labels.put("void", whyVoid);
        }
        return new SessionMarks(
                plan.runId(task.run()),
                task.isDiscarded() ? null : task.round(),
                task.arm().name(),
                Map.copyOf(labels));
    }
}
