/**
 * Verdicts: how two arms are compared, and when that is refused.
 *
 * <p>One value per session and metric comes from SQL. A round holds one session of every arm, so
 * that what a round does to all of them cancels in a difference of logarithms; the null arm, the
 * baseline under another label, shows what no difference looks like here and now. The steps, as the
 * classes have them:
 *
 * <ol>
 *   <li>y = ln x, for counts ln(x + 0.5): {@link dev.tidemark.sql.verdict.Scale}.
 *   <li>Per round d = y_candidate - (y_baseline + y_null) / 2 and e = y_null - y_baseline; their
 *       means and deviations: {@link dev.tidemark.sql.verdict.PairedRounds}.
 *   <li>Intervals by Student's t: {@link dev.tidemark.sql.verdict.Effect}.
 *   <li>Has the null arm moved; better, worse, same or no verdict: {@link
 *       dev.tidemark.sql.verdict.Judgement}.
 *   <li>What stands in two runs, and survives Holm: {@link dev.tidemark.sql.verdict.Findings}.
 * </ol>
 *
 * <p>Paired t on logarithms, since on simulated sessions nominal 95% intervals of the percentile
 * bootstrap over five rounds leave the truth out three times as often as they say. A test holds the
 * procedure to its error rates, its power and its coverage.
 */
@NullMarked
package dev.tidemark.sql.verdict;

import org.jspecify.annotations.NullMarked;
