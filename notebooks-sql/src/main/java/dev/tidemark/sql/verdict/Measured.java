package dev.tidemark.sql.verdict;

/**
 * Two arms measured against each other, and the baseline against itself.
 *
 * @param difference of the candidate to the baseline
 * @param nullDifference of the null arm to the baseline
 * @param baselineMedian over sessions
 * @param candidateMedian over sessions
 * @param size rounds, or hosts of the smaller arm
 */
public record Measured(
        Effect difference,
        Effect nullDifference,
        double baselineMedian,
        double candidateMedian,
        int size) {}
