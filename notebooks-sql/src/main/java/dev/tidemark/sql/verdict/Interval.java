package dev.tidemark.sql.verdict;

/** Two logarithms of ratios between which the truth lies, most of the time. */
public record Interval(double low, double high) {
    boolean excludesOne() {
        return low > 0 || high < 0;
    }

    double lowRatio() {
        return Math.exp(low);
    }

    double highRatio() {
        return Math.exp(high);
    }
}
