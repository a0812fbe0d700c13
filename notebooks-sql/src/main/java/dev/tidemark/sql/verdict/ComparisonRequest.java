package dev.tidemark.sql.verdict;

import java.util.List;
import java.util.Optional;

/**
 * What is to be compared.
 *
 * @param baseline its sessions; the label {@code previous} asks for the build before the
 *     candidate's
 * @param candidates none for every other arm
 * @param nullArm the null arm's name; empty to find it by its label {@code null_of} or its name
 * @param where a condition in SQL over the view {@code sessions}
 * @param metrics to print
 * @param phases besides the whole session
 * @param method how intervals are made
 * @param minEffect what an interval must clear, such as 0.02
 */
public record ComparisonRequest(
        ArmSelector baseline,
        List<ArmSelector> candidates,
        Optional<String> nullArm,
        String where,
        List<Metric> metrics,
        List<String> phases,
        Method method,
        double minEffect) {
    /** What an interval must clear unless another effect is asked for. */
    public static final double USUAL_MIN_EFFECT = Judgement.USUAL_MIN_EFFECT;

    /** Copies the lists. */
    public ComparisonRequest {
        candidates = List.copyOf(candidates);
        metrics = List.copyOf(metrics);
        phases = List.copyOf(phases);
    }

    /** How intervals are made. */
    public enum Method {
        /** Student's t on logarithms: the procedure. */
        T,
        /** The percentile bootstrap over rounds, for those who must have it. */
        BOOTSTRAP
    }
}
