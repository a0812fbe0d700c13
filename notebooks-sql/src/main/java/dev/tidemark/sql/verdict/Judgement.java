package dev.tidemark.sql.verdict;

import java.util.Locale;
import java.util.OptionalInt;

/**
 * Steps 5 to 7: what one run, or a fleet, says of a candidate.
 *
 * @param measured what it is based on
 * @param interval 95%, of the difference
 * @param nullInterval 95%, of the null arm's difference
 * @param verdict what it says
 * @param reason why it says no more; empty with better, worse and same
 * @param detectableRatio a true slowdown of so much would be seen by four runs of five
 */
public record Judgement(
        Measured measured,
        Interval interval,
        Interval nullInterval,
        Verdict verdict,
        String reason,
        double detectableRatio) {
    /** What an interval must clear unless another effect is asked for. */
    static final double USUAL_MIN_EFFECT = 0.02;

    static final double CONFIDENCE = 0.95;
    private static final double SAME_CONFIDENCE = 0.90;
    private static final double NULL_TOLERANCE = Math.log(1.01);
    private static final double POWER = 0.8;
    private static final int MOST_ROUNDS = 1000;

    /**
     * Judges by the intervals of Student's t.
     *
     * @param minEffect what the interval must clear, such as 0.02
     */
    static Judgement of(Scale scale, Measured measured, double minEffect) {
        double clear = Math.log(1 + minEffect);
        Effect difference = measured.difference();
        Interval interval = difference.interval(CONFIDENCE);
        Interval nullInterval = measured.nullDifference().interval(CONFIDENCE);
        Outcome outcome = outcome(scale, measured, interval, nullInterval, clear);
        double detectable =
                clear
                        + interval.high()
                        - difference.mean()
                        + Student.quantile(POWER, difference.degrees())
                                * difference.standardError();
        return new Judgement(
                measured,
                interval,
                nullInterval,
                outcome.verdict,
                outcome.reason,
                Math.exp(detectable));
    }

    private static Outcome outcome(
            Scale scale,
            Measured measured,
            Interval interval,
            Interval nullInterval,
            double clear) {
        double mean = measured.difference().mean();
        double nullMean = measured.nullDifference().mean();
        if (scale.isTooSmall(measured.baselineMedian())) {
            return Outcome.none(tooSmall(scale));
        }
        if (nullInterval.excludesOne() && Math.abs(nullMean) > NULL_TOLERANCE) {
            return Outcome.none(moved(nullMean));
        }
        boolean isBeyondNull = Math.abs(mean) >= 2 * Math.abs(nullMean);
        if (isBeyondNull && (interval.low() > clear || interval.high() < -clear)) {
            return new Outcome(direction(scale, mean), "");
        }
        double margin = Math.log(1 + scale.sameMargin());
        Interval narrow = measured.difference().interval(SAME_CONFIDENCE);
        if (narrow.low() >= -margin && narrow.high() <= margin) {
            return new Outcome(Verdict.SAME, "");
        }
        return Outcome.none(
                isBeyondNull
                        ? undecided(measured, clear, margin)
                        : "smaller than twice the null arm's own difference");
    }

    /** Better or worse. */
    static Verdict direction(Scale scale, double mean) {
        return mean > 0 == scale.isLowerBetter() ? Verdict.WORSE : Verdict.BETTER;
    }

    static String tooSmall(Scale scale) {
        return "the baseline's median is under %s: too small for a ratio"
                .formatted(Numbers.plain(Scale.LEAST_GRAINS * scale.grain()));
    }

    static String moved(double nullMean) {
        return String.format(
                Locale.ROOT,
                "the null arm moved by %+.1f%%: more than the arms changed",
                100 * (Math.exp(nullMean) - 1));
    }

    private static String undecided(Measured measured, double clear, double margin) {
        OptionalInt more = moreRounds(measured, clear, margin);
        return more.isEmpty()
                ? "not decided; over " + MOST_ROUNDS + " rounds would"
                : "not decided; about " + more.getAsInt() + " more rounds would";
    }

    /** How many rounds more decide, if mean and deviation stay as they are. */
    static OptionalInt moreRounds(Measured measured, double clear, double margin) {
        Effect d = measured.difference();
        double deviation = d.standardError() * Math.sqrt(measured.size());
        double size = Math.abs(d.mean());
        for (int n = measured.size() + 1; n <= MOST_ROUNDS; n++) {
            Effect then = new Effect(size, deviation / Math.sqrt(n), n - 1.0);
            if (then.interval(CONFIDENCE).low() > clear
                    || then.interval(SAME_CONFIDENCE).high() <= margin) {
                return OptionalInt.of(n - measured.size());
            }
        }
        return OptionalInt.empty();
    }

    private record Outcome(Verdict verdict, String reason) {
        static Outcome none(String reason) {
            return new Outcome(Verdict.NO_VERDICT, reason);
        }
    }
}
