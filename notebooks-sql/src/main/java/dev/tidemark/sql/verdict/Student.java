package dev.tidemark.sql.verdict;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.commons.statistics.distribution.TDistribution;

/** Student's t distribution. */
final class Student {
    private static final Map<Double, TDistribution> DISTRIBUTIONS = new ConcurrentHashMap<>();
    private static final Map<Key, Double> QUANTILES = new ConcurrentHashMap<>();

    private Student() {}

    /** The value that t stays below with this probability. */
    static double quantile(double probability, double degrees) {
        return QUANTILES.computeIfAbsent(
                new Key(probability, degrees),
                key -> of(degrees).inverseCumulativeProbability(probability));
    }

    /** The probability that t is above this value. */
    static double above(double value, double degrees) {
        return of(degrees).survivalProbability(value);
    }

    private static TDistribution of(double degrees) {
        return DISTRIBUTIONS.computeIfAbsent(degrees, TDistribution::of);
    }

    private record Key(double probability, double degrees) {}
}
