package dev.tidemark.sql.verdict;

/**
 * A mean difference of logarithms and how well it is known.
 *
 * @param mean of ln(candidate) - ln(baseline): 0 is no difference
 * @param standardError of the mean, above 0
 * @param degrees of freedom of that, above 0
 */
public record Effect(double mean, double standardError, double degrees) {
    /** Candidate over baseline. */
    double ratio() {
        return Math.exp(mean);
    }

    /** Holds the truth with this confidence, by Student's t. */
    Interval interval(double confidence) {
        double half = Student.quantile((1 + confidence) / 2, degrees) * standardError;
        return new Interval(mean - half, mean + half);
    }

    /** How likely so high a mean or a higher one is where there is no difference. */
    double pHigher() {
        return Student.above(mean / standardError, degrees);
    }

    /** How likely so low a mean or a lower one is where there is no difference. */
    double pLower() {
        return Student.above(-mean / standardError, degrees);
    }

    /** How likely a mean so far off, to either side, is where there is no difference. */
    double pEither() {
        return Math.min(1, 2 * Math.min(pHigher(), pLower()));
    }
}
