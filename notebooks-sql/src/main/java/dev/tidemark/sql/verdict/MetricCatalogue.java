package dev.tidemark.sql.verdict;

import dev.tidemark.sql.LakeException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** Every metric, from the files of {@code metrics}. */
public final class MetricCatalogue {
    private static final List<MetricFile> FILES =
            List.of(
                    MetricFile.read("metrics/totals.sql"),
                    MetricFile.read("metrics/span_tails.sql", "frame"),
                    MetricFile.read("metrics/span_tails.sql", "tick"),
                    MetricFile.read("metrics/slow_calls.sql"),
                    MetricFile.read("metrics/play.sql"),
                    MetricFile.read("metrics/overruns.sql"),
                    MetricFile.read("metrics/sampled_memory.sql"),
                    MetricFile.read("metrics/kept_memory.sql"));

    private MetricCatalogue() {}

    static List<MetricFile> files() {
        return FILES;
    }

    /** All metrics, the headline ones first. */
    public static List<Metric> all() {
        return FILES.stream()
                .flatMap(file -> file.metrics().stream())
                .sorted(Comparator.comparing(metric -> !metric.isHeadline()))
                .toList();
    }

    /**
     * The metrics that a list names.
     *
     * @param names metrics, {@code headline} and {@code all}, separated by commas
     * @throws LakeException when one is none of these
     */
    public static List<Metric> named(String names) throws LakeException {
        Set<Metric> wanted = new LinkedHashSet<>();
        for (String name : names.split(",", -1)) {
            String stripped = name.strip();
            List<Metric> found =
                    all().stream()
                            .filter(
                                    metric ->
                                            stripped.equals("all")
                                                    || (stripped.equals("headline")
                                                            && metric.isHeadline())
                                                    || metric.name().equals(stripped))
                            .toList();
            if (found.isEmpty()) {
                throw new LakeException(unknown(stripped));
            }
            wanted.addAll(found);
        }
        return new ArrayList<>(wanted);
    }

    private static String unknown(String name) {
        String nearest =
                all().stream()
                        .map(Metric::name)
                        .sorted(Comparator.comparingInt(other -> distance(name, other)))
                        .limit(3)
                        .collect(Collectors.joining(", "));
        return "no metric '%s'; nearest are %s; --metrics takes headline, all or names"
                .formatted(name, nearest);
    }

    /** How many letters differ: inserted, left out or exchanged. */
    private static int distance(String one, String other) {
        String a = one.toLowerCase(Locale.ROOT);
        int[] row = new int[other.length() + 1];
        for (int j = 0; j <= other.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= other.length(); j++) {
                int exchanged = diagonal + (a.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(exchanged, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[other.length()];
    }
}
