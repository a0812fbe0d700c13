package dev.tidemark.sql;

import static dev.tidemark.sql.SqlNames.identifier;
import static dev.tidemark.sql.SqlNames.literal;
import static dev.tidemark.sql.SqlNames.plainPath;

import dev.tidemark.schemas.lake.LakeColumn;
import dev.tidemark.schemas.lake.LakeTable;
import dev.tidemark.schemas.lake.LakeTables;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The views over a lake's files, each after those that it reads. */
final class LakeViews {
    private static final String SHOWN_SESSIONS = LakeView.STAGING + ".shown_sessions";

    private LakeViews() {}

    static List<LakeView> over(Path folder) {
        List<LakeView> views = new ArrayList<>();
        for (LakeTable table : LakeTables.ALL) {
            views.add(stored(table, folder));
        }
        views.add(shownSessions());
        for (LakeTable table : LakeTables.ALL) {
            views.add(contract(table));
        }
        return views;
    }

    /** Name of the view over a table's files as they are. */
    static String storedName(LakeTable table) {
        return LakeView.STORED + table.name();
    }

    /** A query with the columns of {@link #storedName} and without rows. */
    static String noRows(LakeTable table) {
        return "SELECT "
                + Seeds.emptyColumns(table)
                + ", CAST(NULL AS DATE) AS \"day\", CAST(NULL AS VARCHAR) AS \"load\" WHERE FALSE";
    }

    private static LakeView stored(LakeTable table, Path folder) {
        String files =
                plainPath(folder.resolve(table.name()).toString()) + "/day=*/load=*/[!._]*.parquet";
        String columns =
                table.storedColumns().stream()
                        .map(
                                column ->
                                        "    CAST(files.%1$s AS %2$s) AS %1$s,\n"
                                                .formatted(
                                                        identifier(column.name()),
                                                        column.type().sqlName()))
                        .collect(Collectors.joining());
        String query =
                """
                SELECT
                %s    files."day",
                    files."load"
                FROM read_parquet(
                    %s,
                    union_by_name = TRUE,
                    hive_partitioning = TRUE,
                    hive_types_autocast = FALSE,
                    hive_types = {'day': DATE, 'load': VARCHAR}) AS files
                """
                        .formatted(columns, literal(files));
        return new LakeView(
                storedName(table),
                query,
                "Files of " + table.name() + " as they are, rows of every load.",
                Stream.concat(
                                commented(table.storedColumns()),
                                Stream.of(
                                        new LakeView.Column(
                                                LakeTable.DAY, "UTC day of the row, its folder."),
                                        new LakeView.Column(
                                                LakeTable.LOAD,
                                                "The pass through the pipeline that wrote the row, its folder.")))
                        .toList());
    }

    private static LakeView shownSessions() {
        SqlFile file = SqlFile.read("views/staging/shown_sessions.sql");
        return new LakeView(
                SHOWN_SESSIONS,
                file.statement(),
                file.headComment(),
                commented(LakeTables.SESSIONS.storedColumns()).toList());
    }

    private static LakeView contract(LakeTable table) {
        return new LakeView(
                table.name(),
                SqlFile.read("views/" + table.name() + ".sql").statement(),
                table.grain(),
                commented(table.columns()).toList());
    }

    private static Stream<LakeView.Column> commented(List<LakeColumn> columns) {
        return columns.stream().map(column -> new LakeView.Column(column.name(), column.comment()));
    }
}
