package dev.tidemark.jobs;

import dev.tidemark.schemas.lake.LakeColumn;
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
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A lake's files, read with DuckDB. */
final class TestLake {
    /** Columns that differ between readings of the same records. */
    private static final Set<String> OF_THE_READING = Set.of("load_id", "loaded_at", "revision");

    private final Path root;

    TestLake(Path root) {
        this.root = root;
    }

    /** Runs a query in which {@code {table}} stands for a table's files. */
    List<String> query(String sql) throws SQLException {
        String text = sql;
        for (var table : LakeTables.ALL) {
            text =
                    text.replace(
                            "{" + table.name() + "}",
                            "read_parquet('" + root + "/" + table.name() + "/*/*/*.parquet')");
        }
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(text)) {
            List<String> rows = new ArrayList<>();
            int width = result.getMetaData().getColumnCount();
            while (result.next()) {
                List<String> row = new ArrayList<>();
                for (int i = 1; i <= width; i++) {
                    row.add(result.getString(i));
                }
                rows.add(String.join("|", row));
            }
            return rows;
        }
    }

    /**
     * A table's rows, each once for each time that it is there, sorted; of {@code sessions} the
     * last revision of each.
     */
    List<String> rows(String table) throws SQLException {
        return rows(table, "true");
    }

    /** Likewise of one load alone. */
    List<String> rowsOfLoad(String table, String loadId) throws SQLException {
        return rows(table, "\"load\" = '" + loadId + "'");
    }

    private List<String> rows(String table, String where) throws SQLException {
        if (files(table).isEmpty()) {
            return List.of();
        }
        String columns =
                LakeTables.table(table).storedColumns().stream()
                        .map(LakeColumn::name)
                        .filter(name -> !OF_THE_READING.contains(name))
                        .map(name -> "\"" + name + "\"")
                        .collect(Collectors.joining(", "));
        String last =
                table.equals("sessions")
                        ? " QUALIFY row_number() OVER (PARTITION BY session_id ORDER BY revision DESC) = 1"
                        : "";
        return query(
                "SELECT "
                        + columns
                        + ", day FROM {"
                        + table
                        + "} WHERE "
                        + where
                        + last
                        + " ORDER BY ALL");
    }

    /** The finished files of a table. */
    List<Path> files(String table) {
        return find(table).filter(file -> !isHidden(file)).toList();
    }

    /** Files still being written, or left behind. */
    List<Path> unfinished() {
        return LakeTables.ALL.stream()
                .flatMap(table -> find(table.name()))
                .filter(TestLake::isHidden)
                .toList();
    }

    private static boolean isHidden(Path file) {
        return file.getFileName().toString().startsWith(".");
    }

    private Stream<Path> find(String table) {
        Path folder = root.resolve(table);
        if (!Files.isDirectory(folder)) {
            return Stream.of();
        }
        try (Stream<Path> walk = Files.walk(folder)) {
            return walk.filter(Files::isRegularFile).toList().stream();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
