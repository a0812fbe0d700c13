package dev.tidemark.sql.verdict;

import dev.tidemark.schemas.lake.LakeTable;
import dev.tidemark.schemas.lake.LakeTables;
import dev.tidemark.sql.Lake;
import dev.tidemark.sql.LakeException;
import dev.tidemark.sql.SqlErrors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Writes a comparison into the lake's {@code verdicts} and {@code comparisons}: the verdicts first,
 * and each file by renaming it, so that the views show it whole or not at all.
 */
public final class ComparisonTables {
    private static final String SEPARATOR = "\u001f";

    private ComparisonTables() {}

    /**
     * Writes.
     *
     * @param connection to the lake; temporary tables are made in it
     * @throws IOException when the lake can't be written
     */
    public static void write(Lake lake, Connection connection, Comparison comparison)
            throws IOException, LakeException {
        try {
            write(lake, connection, comparison, LakeTables.VERDICTS, verdicts(comparison));
            write(
                    lake,
                    connection,
                    comparison,
                    LakeTables.COMPARISONS,
                    List.of(comparison(comparison)));
        } catch (SQLException e) {
            throw new LakeException("verdicts: " + SqlErrors.oneLine(e), e);
        }
    }

    private static List<Map<String, @Nullable Object>> verdicts(Comparison comparison) {
        List<Map<String, @Nullable Object>> rows = new ArrayList<>();
        for (ComparisonRow row : comparison.rows()) {
            if (!comparison.isFleet()) {
                for (ComparisonRow.RunRow run : row.runs()) {
                    rows.add(ofRun(comparison, row, run));
                }
            }
            rows.add(together(comparison, row));
        }
        return rows;
    }

    private static Map<String, @Nullable Object> ofRow(Comparison comparison, ComparisonRow row) {
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        values.put("comparison_id", comparison.id());
        values.put("metric", row.metric().name());
        values.put("unit", row.metric().unit());
        values.put("phase", orNull(row.phase()));
        values.put("clock", row.clock());
        values.put("round_kind", orNull(row.roundKind()));
        values.put("baseline", row.baseline());
        values.put("candidate", row.candidate());
        values.put("baseline_value", orNull(row.baselineRange().median()));
        values.put("candidate_value", orNull(row.candidateRange().median()));
        values.put("baseline_sessions", (long) row.baselineRange().sessions());
        values.put("candidate_sessions", (long) row.candidateRange().sessions());
        return values;
    }

    private static Map<String, @Nullable Object> ofRun(
            Comparison comparison, ComparisonRow row, ComparisonRow.RunRow run) {
        Judgement judgement = run.judgement();
        Measured measured = judgement.measured();
        Map<String, @Nullable Object> values = ofRow(comparison, row);
        values.put("baseline_value", measured.baselineMedian());
        values.put("candidate_value", measured.candidateMedian());
        values.put("baseline_sessions", (long) measured.size());
        values.put("candidate_sessions", (long) measured.size());
        put(values, measured.difference().ratio(), judgement.interval());
        putNull(values, judgement);
        values.put(
                "p_value",
                comparison.request().method() == ComparisonRequest.Method.BOOTSTRAP
                        ? null
                        : measured.difference().pEither());
        values.put("detectable_ratio", judgement.detectableRatio());
        values.put("rounds", (long) measured.size());
        values.put("run_id", run.runId());
        values.put("verdict", judgement.verdict().text());
        values.put("is_finding", false);
        values.put("reason", orNull(judgement.reason()));
        return values;
    }

    private static Map<String, @Nullable Object> together(
            Comparison comparison, ComparisonRow row) {
        Map<String, @Nullable Object> values = ofRow(comparison, row);
        row.finding()
                .ifPresent(
                        finding -> {
                            put(values, finding.effect().ratio(), finding.interval());
                            values.put("p_value", orNull(finding.p()));
                            values.put("p_adjusted", orNull(finding.pAdjusted()));
                        });
        if (comparison.isFleet() && !row.runs().isEmpty()) {
            putNull(values, row.runs().get(0).judgement());
        }
        if (row.detectableRatio().isPresent()) {
            values.put("detectable_ratio", row.detectableRatio().getAsDouble());
        }
        values.put(
                "rounds",
                row.runs().stream().mapToLong(run -> run.judgement().measured().size()).sum());
        values.put("verdict", row.verdict().text());
        values.put("is_finding", row.isFinding());
        values.put("reason", orNull(row.reason()));
        return values;
    }

    private static void put(Map<String, @Nullable Object> values, double ratio, Interval interval) {
        values.put("ratio", ratio);
        values.put("ratio_low", interval.lowRatio());
        values.put("ratio_high", interval.highRatio());
    }

    private static void putNull(Map<String, @Nullable Object> values, Judgement judgement) {
        values.put("null_ratio", judgement.measured().nullDifference().ratio());
        values.put("null_low", judgement.nullInterval().lowRatio());
        values.put("null_high", judgement.nullInterval().highRatio());
    }

    private static Map<String, @Nullable Object> comparison(Comparison comparison) {
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        values.put("comparison_id", comparison.id());
        values.put("made_at", comparison.madeAt().toString());
        values.put("baseline", comparison.baseline());
        values.put(
                "candidates",
                comparison.candidates().stream()
                        .collect(
                                Collectors.toMap(
                                        candidate -> candidate,
                                        candidate -> counts(comparison, candidate),
                                        (one, other) -> one,
                                        LinkedHashMap::new)));
        values.put("filter", comparison.request().where());
        values.put("method", comparison.request().method().name().toLowerCase(Locale.ROOT));
        Map<String, String> runs = new LinkedHashMap<>();
        comparison.runs().forEach((run, rounds) -> runs.put(run, rounds + " rounds"));
        values.put("runs", runs);
        values.put("sessions_used", (long) comparison.sessionsUsed());
        values.put("sessions_left_out", comparison.leftOut());
        values.put("summary", String.join("\n", Sentence.all(comparison)));
        return values;
    }

    private static String counts(Comparison comparison, String candidate) {
        return java.util.Arrays.stream(Verdict.values())
                .map(
                        verdict ->
                                comparison.rows().stream()
                                                .filter(row -> row.candidate().equals(candidate))
                                                .filter(row -> row.verdict() == verdict)
                                                .count()
                                        + " "
                                        + verdict.text())
                .collect(Collectors.joining(", "));
    }

    private static @Nullable Object orNull(String text) {
        return text.isEmpty() ? null : text;
    }

    private static @Nullable Object orNull(double value) {
        return Double.isNaN(value) ? null : value;
    }

    // ---- the files

    private static void write(
            Lake lake,
            Connection connection,
            Comparison comparison,
            LakeTable table,
            List<Map<String, @Nullable Object>> rows)
            throws SQLException, IOException {
        String name = "written_" + table.name();
        try (Statement statement = connection.createStatement()) {
            statement.execute("DROP TABLE IF EXISTS temp." + name);
            statement.execute(
                    table.ddl()
                            .replace(
                                    "CREATE TABLE \"" + table.name() + '"',
                                    "CREATE TEMP TABLE " + name));
            insert(connection, name, table, rows);
            Path folder =
                    lake.folder()
                            .resolve(table.name())
                            .resolve(
                                    LakeTable.DAY
                                            + "="
                                            + comparison
                                                    .madeAt()
                                                    .atZone(ZoneOffset.UTC)
                                                    .toLocalDate())
                            .resolve(LakeTable.LOAD + "=" + comparison.id());
            Files.createDirectories(folder);
            Path part = folder.resolve("_" + table.name() + ".parquet");
            try {
                statement.execute(
                        "COPY (SELECT * EXCLUDE (\"%s\", \"%s\") FROM %s) TO '%s' (FORMAT parquet, COMPRESSION zstd)"
                                .formatted(
                                        LakeTable.DAY,
                                        LakeTable.LOAD,
                                        name,
                                        part.toString().replace("'", "''")));
                Files.move(
                        part,
                        folder.resolve(table.name() + ".parquet"),
                        StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(part);
            }
        }
    }

    private static void insert(
            Connection connection,
            String name,
            LakeTable table,
            List<Map<String, @Nullable Object>> rows)
            throws SQLException {
        String places =
                table.storedColumns().stream()
                        .map(column -> place(column.type().sqlName()))
                        .collect(Collectors.joining(", "));
        String sql = "INSERT INTO " + name + " VALUES (" + places + ", NULL, NULL)";
        try (PreparedStatement insert = connection.prepareStatement(sql)) {
            for (Map<String, @Nullable Object> row : rows) {
                int place = 1;
                for (var column : table.storedColumns()) {
                    Object value = row.get(column.name());
                    if (value instanceof Map<?, ?> map) {
                        insert.setString(place++, joined(map.keySet()));
                        insert.setString(place++, joined(map.values()));
                    } else {
                        insert.setObject(place++, value);
                    }
                }
                insert.execute();
            }
        }
    }

    private static String place(String type) {
        return type.startsWith("MAP")
                ? "map_from_entries(list_filter(list_zip(string_split(?, chr(31)), string_split(?, chr(31))), lambda entry: entry[1] <> ''))"
                : "CAST(? AS " + type + ")";
    }

    private static String joined(java.util.Collection<?> values) {
        return values.stream()
                .map(value -> String.valueOf(value).replace(SEPARATOR, " "))
                .collect(Collectors.joining(SEPARATOR));
    }
}
