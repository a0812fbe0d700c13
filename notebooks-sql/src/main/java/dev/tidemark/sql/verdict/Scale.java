package dev.tidemark.sql.verdict;

/**
 * How values of a metric are compared.
 *
 * @param isCount whether a value counts events, so that 0 is usual and an event more or less is
 *     noise
 * @param isLowerBetter which direction is better
 * @param grain the smallest difference that the value can show, in its unit, above 0; a value below
 *     counts as one grain, so that every logarithm is finite
 * @param sameMargin how far apart two arms may be and still be the same, such as 0.05
 */
public record Scale(boolean isCount, boolean isLowerBetter, double grain, double sameMargin) {
    /** Below so many grains a ratio says nothing. */
    static final double LEAST_GRAINS = 5;

    /** Checks that grain and margin are above 0. */
    public Scale {
        if (!(grain > 0) || !(sameMargin > 0)) {
            throw new IllegalArgumentException(
                    "grain " + grain + " and margin " + sameMargin + " must be above 0");
        }
    }

    /** The logarithm that differences are taken of. */
    double log(double value) {
        return isCount ? Math.log(Math.max(0, value) + 0.5) : Math.log(Math.max(value, grain));
    }

    /** Whether values around this median are too small for a ratio. */
    boolean isTooSmall(double baselineMedian) {
        return baselineMedian < LEAST_GRAINS * grain;
    }

    /** The grain as a difference of logarithms near a value: no deviation is smaller. */
    double logGrain(double median) {
        return grain / Math.max(median, grain);
    }
}
