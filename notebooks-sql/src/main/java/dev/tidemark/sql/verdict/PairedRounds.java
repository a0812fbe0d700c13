package dev.tidemark.sql.verdict;

import java.util.List;
import java.util.function.ToDoubleFunction;

/** Steps 1 to 3: a run's rounds, arm against arm within each round. */
final class PairedRounds {
    /** Fewer rounds say nothing. */
    static final int LEAST_ROUNDS = 5;

    private PairedRounds() {}

    /** Measures the complete rounds of a run, two or more. */
    static Measured measure(Scale scale, List<Round> run) {
        double baselineMedian = Samples.median(values(run, Round::baseline));
        double grain = scale.logGrain(baselineMedian);
        return new Measured(
                effect(differences(scale, run), grain),
                effect(nullDifferences(scale, run), grain),
                baselineMedian,
                Samples.median(values(run, Round::candidate)),
                run.size());
    }

    /** The candidate against the mean of the baseline's two sessions, round by round. */
    static double[] differences(Scale scale, List<Round> run) {
        return values(
                run,
                round ->
                        scale.log(round.candidate())
                                - (scale.log(round.baseline()) + scale.log(round.nullArm())) / 2);
    }

    /** The null arm against the baseline, round by round. */
    static double[] nullDifferences(Scale scale, List<Round> run) {
        return values(run, round -> scale.log(round.nullArm()) - scale.log(round.baseline()));
    }

    /** The deviation is at least the grain, so that rows without variance stay finite. */
    private static Effect effect(double[] differences, double grain) {
        double deviation = Math.max(Math.sqrt(Samples.variance(differences)), grain);
        return new Effect(
                Samples.mean(differences),
                deviation / Math.sqrt(differences.length),
                differences.length - 1.0);
    }

    private static double[] values(List<Round> run, ToDoubleFunction<Round> value) {
        return run.stream().mapToDouble(value).toArray();
    }
}
