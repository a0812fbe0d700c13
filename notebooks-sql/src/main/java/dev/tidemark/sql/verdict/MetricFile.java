package dev.tidemark.sql.verdict;

import dev.tidemark.sql.SqlFile;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A query that gives some metrics of each session, and what its head says of them: {@code metric:}
 * and, between bars, name, unit, better direction, grain (or {@code count}), margin, clocks,
 * detail, rounds, headline or nothing, noun, meaning.
 *
 * @param query gives a row per session and scope, with a column for each metric
 * @param metrics in order
 */
record MetricFile(String query, List<Metric> metrics) {
    private static final String MARK = "-- metric: ";
    private static final int FIELDS = 11;

    static MetricFile read(String path) {
        return parse(path, SqlFile.read(path));
    }

    /** The file once more for frames or ticks. */
    static MetricFile read(String path, String span) {
        SqlFile file = SqlFile.read(path);
        return parse(path, new SqlFile(path, file.text().replace("{span}", span)));
    }

    private static MetricFile parse(String path, SqlFile file) {
        List<Metric> metrics =
                file.text()
                        .lines()
                        .filter(line -> line.startsWith(MARK))
                        .map(line -> metric(path, line.substring(MARK.length())))
                        .toList();
        return new MetricFile(file.statement(), metrics);
    }

    private static Metric metric(String path, String line) {
        List<String> fields = Arrays.stream(line.split("\\|", -1)).map(String::strip).toList();
        if (fields.size() != FIELDS) {
            throw new IllegalStateException(
                    "%s: %d fields instead of %d in: %s"
                            .formatted(path, fields.size(), FIELDS, line));
        }
        boolean isCount = fields.get(3).equals("count");
        Scale scale =
                new Scale(
                        isCount,
                        oneOf(path, fields.get(2), "lower", "higher").equals("lower"),
                        isCount ? 1 : Double.parseDouble(fields.get(3)),
                        Double.parseDouble(fields.get(4).replace("%", "")) / 100);
        return new Metric(
                fields.get(0),
                fields.get(1),
                scale,
                clocks(path, fields.get(5)),
                oneOf(path, fields.get(6), "any", "events"),
                oneOf(path, fields.get(7), "any", "plain", "profiled"),
                oneOf(path, fields.get(8), "headline", "").equals("headline"),
                fields.get(9),
                fields.get(10));
    }

    private static Set<String> clocks(String path, String field) {
        return Arrays.stream(field.split(", "))
                .map(clock -> oneOf(path, clock, "live", "replay", "op", "none"))
                .collect(Collectors.toSet());
    }

    private static String oneOf(String path, String field, String... allowed) {
        if (!List.of(allowed).contains(field)) {
            throw new IllegalStateException(
                    "%s: '%s' is none of %s".formatted(path, field, List.of(allowed)));
        }
        return field;
    }
}
