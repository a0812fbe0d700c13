package dev.tidemark.sql.verdict;

import java.util.Arrays;
import java.util.Random;

/**
 * Step 9: a fleet has no rounds. The logarithms are averaged per host, and hosts compared by Welch;
 * the null arm is a random half of the baseline's hosts against the other.
 */
final class Fleet {
    /** Fewer hosts an arm say nothing. */
    static final int LEAST_HOSTS = 5;

    private Fleet() {}

    /**
     * Measures two arms.
     *
     * @param baselineByHost values of the sessions of each host, 5 hosts or more, none without a
     *     session
     * @param candidateByHost likewise
     * @param seed splits the baseline; the same hosts and seed give the same null arm
     */
    static Measured measure(
            Scale scale, double[][] baselineByHost, double[][] candidateByHost, long seed) {
        double[] baseline = hostMeans(scale, baselineByHost);
        double[] candidate = hostMeans(scale, candidateByHost);
        double median = medianOfAll(baselineByHost);
        double grain = scale.logGrain(median);
        double[] shuffled = baseline.clone();
        shuffle(shuffled, new Random(seed));
        int half = shuffled.length / 2;
        return new Measured(
                welch(baseline, candidate, grain),
                welch(
                        Arrays.copyOfRange(shuffled, 0, half),
                        Arrays.copyOfRange(shuffled, half, shuffled.length),
                        grain),
                median,
                medianOfAll(candidateByHost),
                Math.min(baseline.length, candidate.length));
    }

    /** Welch's difference of means, with his degrees of freedom. */
    static Effect welch(double[] baseline, double[] candidate, double grain) {
        double ofBaseline = Math.max(Samples.variance(baseline), grain * grain) / baseline.length;
        double ofCandidate =
                Math.max(Samples.variance(candidate), grain * grain) / candidate.length;
        double sum = ofBaseline + ofCandidate;
        double degrees =
                sum
                        * sum
                        / (ofBaseline * ofBaseline / (baseline.length - 1)
                                + ofCandidate * ofCandidate / (candidate.length - 1));
        return new Effect(
                Samples.mean(candidate) - Samples.mean(baseline), Math.sqrt(sum), degrees);
    }

    private static double[] hostMeans(Scale scale, double[][] byHost) {
        return Arrays.stream(byHost)
                .mapToDouble(values -> Arrays.stream(values).map(scale::log).sum() / values.length)
                .toArray();
    }

    private static double medianOfAll(double[][] byHost) {
        return Samples.median(Arrays.stream(byHost).flatMapToDouble(Arrays::stream).toArray());
    }

    private static void shuffle(double[] values, Random random) {
        for (int i = values.length - 1; i > 0; i--) {
            int other = random.nextInt(i + 1);
            double value = values[i];
            values[i] = values[other];
            values[other] = value;
        }
    }
}
