package dev.tidemark.sql.verdict;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** Step 8: what two runs say together, and what survives that many rows were looked at. */
final class Findings {
    /** How often a set of rows may hold a finding that is none. */
    static final double FAMILY_ERROR = 0.05;

    private Findings() {}

    /**
     * Brings the runs of each row together.
     *
     * @param rows every row that is printed; each has the judgements of its runs, one or two
     */
    static List<Finding> of(List<List<Judgement>> rows) {
        double[] p = rows.stream().map(Findings::effects).mapToDouble(Findings::pOfRuns).toArray();
        double[] adjusted = holm(p);
        List<Finding> findings = new ArrayList<>();
        for (int i = 0; i < p.length; i++) {
            findings.add(finding(rows.get(i), p[i], adjusted[i], p.length));
        }
        return findings;
    }

    private static Finding finding(List<Judgement> runs, double p, double adjusted, int rows) {
        Effect effect = pooled(effects(runs));
        Interval interval = effect.interval(Judgement.CONFIDENCE);
        Verdict verdict = runs.get(0).verdict();
        if (runs.size() == 1) {
            return new Finding(effect, interval, verdict, false, p, adjusted, runs.get(0).reason());
        }
        List<Verdict> verdicts = runs.stream().map(Judgement::verdict).toList();
        String reason = "";
        boolean isFinding = false;
        if (verdicts.stream().distinct().count() > 1) {
            reason =
                    verdicts.get(0).text()
                            + " in one run, "
                            + verdicts.get(1).text()
                            + " in the other";
            verdict = Verdict.NO_VERDICT;
        } else if (verdict == Verdict.NO_VERDICT) {
            reason = runs.get(0).reason();
        } else if (verdict != Verdict.SAME) {
            isFinding = adjusted <= FAMILY_ERROR;
            if (!isFinding) {
                reason =
                        String.format(
                                Locale.ROOT,
                                "%s in both runs, yet p = %.2g among %d rows",
                                verdict.text(),
                                p,
                                rows);
                verdict = Verdict.NO_VERDICT;
            }
        }
        return new Finding(effect, interval, verdict, isFinding, p, adjusted, reason);
    }

    private static List<Effect> effects(List<Judgement> runs) {
        return runs.stream().map(run -> run.measured().difference()).toList();
    }

    /** p = 2 max(p1, p2)^2 in the direction that the runs share; of a run alone its two-sided p. */
    static double pOfRuns(List<Effect> runs) {
        if (runs.size() == 1) {
            return runs.get(0).pEither();
        }
        double higher = runs.stream().mapToDouble(Effect::pHigher).max().orElseThrow();
        double lower = runs.stream().mapToDouble(Effect::pLower).max().orElseThrow();
        double shared = Math.min(higher, lower);
        return Math.min(1, 2 * shared * shared);
    }

    /** Both runs' rounds together: each run's mean counts alike, the deviation is pooled. */
    static Effect pooled(List<Effect> runs) {
        double mean = runs.stream().mapToDouble(Effect::mean).sum() / runs.size();
        double degrees = runs.stream().mapToDouble(Effect::degrees).sum();
        if (runs.size() == 1) {
            return runs.get(0);
        }
        double variance = 0;
        double inverseRounds = 0;
        for (Effect run : runs) {
            double rounds = run.degrees() + 1;
            variance +=
                    run.standardError() * run.standardError() * rounds * run.degrees() / degrees;
            inverseRounds += 1 / rounds;
        }
        return new Effect(mean, Math.sqrt(variance * inverseRounds) / runs.size(), degrees);
    }

    /** Holm: each p as it counts when all of them were looked at. */
    static double[] holm(double[] p) {
        List<Integer> smallestFirst =
                IntStream.range(0, p.length)
                        .boxed()
                        .sorted(Comparator.comparingDouble(i -> p[i]))
                        .toList();
        double[] adjusted = new double[p.length];
        double largest = 0;
        for (int rank = 0; rank < p.length; rank++) {
            int i = smallestFirst.get(rank);
            largest = Math.max(largest, Math.min(1, (p.length - rank) * p[i]));
            adjusted[i] = largest;
        }
        return adjusted;
    }
}
