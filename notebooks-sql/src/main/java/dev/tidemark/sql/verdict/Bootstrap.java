package dev.tidemark.sql.verdict;

import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * The common convention: rounds drawn anew with replacement, the interval between percentiles of
 * their means, a verdict where it excludes 1 and that of the null arm doesn't. It is offered beside
 * the procedure with its error rate, since over five rounds its intervals are too narrow.
 */
final class Bootstrap {
    /**
     * How often a row of one run is better or worse where nothing differs, in the simulated
     * sessions of the calibration test, with five rounds.
     */
    static final double FALSE_POSITIVE_RATE = 0.13;

    private static final int DRAWS = 2000;
    private static final double TAIL = 0.025;
    private static final long SEED = 1;

    private Bootstrap() {}

    /** Judges a run of two complete rounds or more. */
    static Judgement judge(Scale scale, List<Round> run) {
        Measured measured = PairedRounds.measure(scale, run);
        Interval interval = interval(PairedRounds.differences(scale, run));
        Interval nullInterval = interval(PairedRounds.nullDifferences(scale, run));
        double mean = measured.difference().mean();
        double halfWidth = (interval.high() - interval.low()) / 2;
        Verdict verdict = Verdict.NO_VERDICT;
        String reason = "";
        if (scale.isTooSmall(measured.baselineMedian())) {
            reason = Judgement.tooSmall(scale);
        } else if (nullInterval.excludesOne()) {
            reason = Judgement.moved(measured.nullDifference().mean());
        } else if (interval.excludesOne()) {
            verdict = Judgement.direction(scale, mean);
        } else {
            reason = "the interval holds 1";
        }
        return new Judgement(
                measured, interval, nullInterval, verdict, reason, Math.exp(halfWidth));
    }

    /**
     * What runs say together: their verdict, if they share one; the convention corrects nothing.
     */
    static Finding together(List<Judgement> runs) {
        boolean isShared = runs.stream().map(Judgement::verdict).distinct().count() == 1;
        return new Finding(
                Findings.pooled(runs.stream().map(run -> run.measured().difference()).toList()),
                new Interval(
                        runs.stream().mapToDouble(run -> run.interval().low()).min().orElseThrow(),
                        runs.stream()
                                .mapToDouble(run -> run.interval().high())
                                .max()
                                .orElseThrow()),
                isShared ? runs.get(0).verdict() : Verdict.NO_VERDICT,
                false,
                Double.NaN,
                Double.NaN,
                isShared ? runs.get(0).reason() : "the runs disagree");
    }

    /** Between the 2.5th and the 97.5th percentile of means of values drawn with replacement. */
    static Interval interval(double[] values) {
        Random random = new Random(SEED);
        double[] means = new double[DRAWS];
        for (int draw = 0; draw < DRAWS; draw++) {
            double sum = 0;
            for (int i = 0; i < values.length; i++) {
                sum += values[random.nextInt(values.length)];
            }
            means[draw] = sum / values.length;
        }
        Arrays.sort(means);
        int cut = (int) Math.round(TAIL * DRAWS);
        return new Interval(means[cut], means[DRAWS - 1 - cut]);
    }
}
