package dev.tidemark.sql.verdict;

import java.util.Arrays;

/** Mean, deviation and median of a few values. */
final class Samples {
    private Samples() {}

    static double mean(double[] values) {
        return Arrays.stream(values).sum() / values.length;
    }

    /** The variance of what the values are a sample of; 0 for a single one. */
    static double variance(double[] values) {
        double mean = mean(values);
        double squares = Arrays.stream(values).map(value -> (value - mean) * (value - mean)).sum();
        return values.length < 2 ? 0 : squares / (values.length - 1);
    }

    /** The middle value, or the mean of the two in the middle. */
    static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int half = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    }
}
