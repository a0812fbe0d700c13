package dev.tidemark.sql.verdict;

/**
 * What all runs say of a candidate together.
 *
 * @param effect of the runs pooled
 * @param verdict theirs, if they share one; of a single run its own, provisional
 * @param isFinding whether it is better or worse in two runs and survives that so many rows were
 *     looked at
 * @param p that no difference looks like this in both runs
 * @param pAdjusted the same among all rows
 * @param reason why it says no more; empty when it does
 */
record Finding(
        Effect effect,
        Verdict verdict,
        boolean isFinding,
        double p,
        double pAdjusted,
        String reason) {}
