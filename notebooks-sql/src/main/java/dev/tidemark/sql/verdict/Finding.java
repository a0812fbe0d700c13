package dev.tidemark.sql.verdict;

/**
 * What all runs say of a candidate together.
 *
 * @param effect of the runs pooled
 * @param interval 95%, of that effect; by bootstrap what holds those of all runs
 * @param verdict theirs, if they share one; of a single run its own, provisional
 * @param isFinding whether it is better or worse in two runs and survives that so many rows were
 *     looked at
 * @param p that no difference looks like this in both runs; NaN by bootstrap
 * @param pAdjusted the same among all rows
 * @param reason why it says no more; empty when it does
 */
public record Finding(
        Effect effect,
        Interval interval,
        Verdict verdict,
        boolean isFinding,
        double p,
        double pAdjusted,
        String reason) {}
