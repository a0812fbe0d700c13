package dev.tidemark.sql;

import dev.tidemark.schemas.lake.LakeColumn;
import dev.tidemark.schemas.lake.LakeTable;
import dev.tidemark.schemas.lake.LakeTables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Writes a case's CSV files into a lake as Parquet: {@code given_<table>.csv} with the stored
 * columns of today, {@code given_<table>.old.csv} with those only that the CSV has. Each has the
 * columns {@code day} and {@code load}, too, and becomes a file for each pair of them. An empty
 * field is NULL.
 */
public final class GivenFiles {
    private GivenFiles() {}

    /** Writes the files of a folder. */
    public static void write(Path folder, Path lake) throws SQLException, IOException {
        List<Path> files;
        try (Stream<Path> all = Files.list(folder)) {
            files =
                    all.filter(file -> file.getFileName().toString().startsWith("given_"))
                            .sorted()
                            .toList();
        }
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement()) {
            for (Path file : files) {
                write(file, lake, statement);
            }
        }
    }

    private static void write(Path file, Path lake, Statement statement)
            throws SQLException, IOException {
        String[] parts = file.getFileName().toString().substring("given_".length()).split("\\.");
        LakeTable table = LakeTables.table(parts[0]);
        boolean isOld = parts.length == 3;
        statement.execute(
                "CREATE OR REPLACE TEMP TABLE given AS FROM read_csv('"
                        + file
                        + "', header = true, all_varchar = true, nullstr = '')");
        List<String> given = column(statement, "SELECT column_name FROM (DESCRIBE given)");
        List<String> places =
                column(statement, "SELECT DISTINCT day || '/load=' || load FROM given ORDER BY 1");
        String columns =
                table.storedColumns().stream()
                        .filter(column -> !isOld || given.contains(column.name()))
                        .map(column -> cast(column, given.contains(column.name())))
                        .collect(Collectors.joining(", "));
        for (String place : places) {
            Path target =
                    lake.resolve(table.name())
                            .resolve("day=" + place)
                            .resolve("part-" + String.join("-", parts) + ".parquet");
            Files.createDirectories(target.getParent());
            statement.execute(
                    "COPY (SELECT %s FROM given WHERE day || '/load=' || load = '%s') TO '%s' (FORMAT parquet)"
                            .formatted(columns, place, target.toString().replace("'", "''")));
        }
    }

    private static String cast(LakeColumn column, boolean isGiven) {
        return "CAST(%s AS %s) AS \"%s\""
                .formatted(
                        isGiven ? '"' + column.name() + '"' : "NULL",
                        column.type().sqlName(),
                        column.name());
    }

    private static List<String> column(Statement statement, String query) throws SQLException {
        try (ResultSet rows = statement.executeQuery(query)) {
            List<String> values = new ArrayList<>();
            while (rows.next()) {
                values.add(rows.getString(1));
            }
            return values;
        }
    }
}
