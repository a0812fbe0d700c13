package dev.tidemark.sql.verdict;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Says in a sentence what a comparison found of a candidate. */
public final class Sentence {
    private static final int MOST_CLAIMS = 4;

    private Sentence() {}

    /**
     * Such as {@code mimalloc: 41% fewer spike frames, 380 MiB more at peak, in both runs; your
     * noise hides anything under 6%}.
     */
    public static String of(Comparison comparison, String candidate) {
        List<ComparisonRow> rows =
                comparison.rows().stream()
                        .filter(row -> row.candidate().equals(candidate) && !row.runs().isEmpty())
                        .toList();
        if (rows.isEmpty()) {
            return candidate + ": nothing to compare, see what was left out";
        }
        List<String> claims =
                rows.stream()
                        .filter(row -> isClaim(comparison, row))
                        .sorted(Comparator.comparing(row -> !row.metric().isHeadline()))
                        .map(Sentence::claim)
                        .toList();
        String said =
                claims.isEmpty()
                        ? "nothing better or worse" + sameCount(rows)
                        : String.join(", ", claims.subList(0, Math.min(MOST_CLAIMS, claims.size())))
                                + (claims.size() > MOST_CLAIMS
                                        ? " and %d more".formatted(claims.size() - MOST_CLAIMS)
                                        : "");
        return "%s: %s, %s%s".formatted(candidate, said, where(comparison, rows), noise(rows));
    }

    /** All candidates' sentences. */
    public static List<String> all(Comparison comparison) {
        return comparison.candidates().stream()
                .map(candidate -> of(comparison, candidate))
                .toList();
    }

    private static boolean isClaim(Comparison comparison, ComparisonRow row) {
        return row.isFinding()
                || ((row.verdict() == Verdict.BETTER || row.verdict() == Verdict.WORSE)
                        && (row.runs().size() == 1
                                || comparison.request().method()
                                        == ComparisonRequest.Method.BOOTSTRAP));
    }

    private static String sameCount(List<ComparisonRow> rows) {
        long same = rows.stream().filter(row -> row.verdict() == Verdict.SAME).count();
        return " (%d of %d the same)".formatted(same, rows.size());
    }

    private static String where(Comparison comparison, List<ComparisonRow> rows) {
        if (comparison.isFleet()) {
            return "over %d hosts an arm, provisional"
                    .formatted(
                            rows.stream()
                                    .mapToInt(
                                            row -> row.runs().get(0).judgement().measured().size())
                                    .max()
                                    .orElse(0));
        }
        boolean isOne = rows.stream().allMatch(row -> row.runs().size() == 1);
        return isOne ? "in one run, provisional" : "in both runs";
    }

    private static String claim(ComparisonRow row) {
        Metric metric = row.metric();
        double ratio = row.finding().orElseThrow().effect().ratio();
        String phase = row.phase().isEmpty() ? "" : " in " + row.phase();
        if (metric.unit().equals("MiB")) {
            double difference = row.candidateRange().median() - row.baselineRange().median();
            return "%s MiB %s %s%s"
                    .formatted(
                            Numbers.plain(
                                    Math.abs(difference) < 10
                                            ? Math.abs(difference)
                                            : Math.rint(Math.abs(difference))),
                            difference < 0 ? "less" : "more",
                            metric.noun(),
                            phase);
        }
        String less = metric.scale().isCount() ? "fewer" : "less";
        String word = ratio < 1 ? less : "more";
        return (ratio > 3
                        ? Numbers.plain(ratio) + " times the " + metric.noun()
                        : percent(Math.abs(ratio - 1)) + " " + word + " " + metric.noun())
                + phase;
    }

    private static String noise(List<ComparisonRow> rows) {
        List<Double> detectable = new ArrayList<>();
        rows.stream()
                .filter(row -> row.metric().isHeadline() || rows.size() < 3)
                .forEach(row -> row.detectableRatio().ifPresent(detectable::add));
        if (detectable.isEmpty()) {
            return "";
        }
        double median =
                Samples.median(detectable.stream().mapToDouble(Double::doubleValue).toArray());
        return "; your noise hides anything under " + percent(median - 1);
    }

    private static String percent(double share) {
        double percent = 100 * share;
        return percent < 9.95
                ? String.format(Locale.ROOT, "%.1f%%", percent).replace(".0%", "%")
                : String.format(Locale.ROOT, "%.0f%%", percent);
    }
}
