package dev.tidemark.sql;

import static dev.tidemark.sql.SqlNames.identifier;
import static dev.tidemark.sql.SqlNames.literal;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;

/** Writes the rows of one query: text for people here, everything else by DuckDB's COPY. */
final class ResultExport {
    /** Lines that stand before the query in what DuckDB gets, but for a table of all rows. */
    static final int LINES_BEFORE = 1;

    private final Statements statements;
    private final String sql;

    ResultExport(Statements statements, String sql) {
        this.statements = statements;
        this.sql = sql;
    }

    void write(QueryOutput output) throws SQLException, IOException, LakeException {
        if (output instanceof QueryOutput.ToFile to) {
            writeFile(to);
        } else if (output instanceof QueryOutput.ToWriter to) {
            if (to.format().isText()) {
                print(to);
            } else {
                copyThrough(to);
            }
        }
    }

    /** One row more than is shown, so that DuckDB stops there. */
    private String limited(int maxRows) {
        return maxRows == 0 ? sql : "FROM (\n" + sql + "\n) LIMIT " + (maxRows + 1L);
    }

    private void print(QueryOutput.ToWriter to) throws SQLException {
        try (Statement execution = statements.create();
                ResultSet rows = execution.executeQuery(limited(to.layout().maxRows()))) {
            print(rows, to);
        }
    }

    /** Prints a result, unless it says no more than that a statement ran. */
    static void print(ResultSet rows, QueryOutput.ToWriter to) throws SQLException {
        if (isPlan(rows)) {
            printPlan(rows, to.writer());
            return;
        }
        ResultTable table = ResultTable.read(rows, to.layout().maxRows());
        if (isCount(rows)) {
            return;
        }
        if (to.format() == ResultFormat.MARKDOWN) {
            new MarkdownWriter(to.writer()).print(table);
        } else {
            new TableWriter(to.writer(), to.layout()).print(table);
        }
    }

    private void writeFile(QueryOutput.ToFile to) throws SQLException, IOException, LakeException {
        Path file = to.file().toAbsolutePath();
        Path folder = file.getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            throw new LakeException(to.file() + ": there is no folder " + folder);
        }
        if (Files.isDirectory(file)) {
            throw new LakeException(to.file() + ": is a folder; name a file");
        }
        Path part = Files.createTempFile(folder, "_" + file.getFileName(), ".part");
        try {
            if (to.format().isText()) {
                try (PrintWriter writer = new PrintWriter(Files.newBufferedWriter(part, UTF_8));
                        Statement execution = statements.create();
                        ResultSet rows = execution.executeQuery(sql)) {
                    print(
                            rows,
                            new QueryOutput.ToWriter(writer, to.format(), TableLayout.UNBOUNDED));
                }
            } else {
                copy(to.format(), part);
            }
            Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(part);
        }
    }

    private void copyThrough(QueryOutput.ToWriter to)
            throws SQLException, IOException, LakeException {
        if (to.format() == ResultFormat.PARQUET) {
            throw new LakeException("parquet is not text: write it with --out FILE.parquet");
        }
        Path part = Files.createTempFile("tidemark", ".part");
        try {
            copy(to.format(), part);
            try (BufferedReader reader = Files.newBufferedReader(part, UTF_8)) {
                reader.transferTo(to.writer());
            }
            to.writer().flush();
        } finally {
            Files.deleteIfExists(part);
        }
    }

    private void copy(ResultFormat format, Path file) throws SQLException {
        String select = format == ResultFormat.JSON ? finite() : "";
        try (Statement execution = statements.create()) {
            execution.execute(
                    "COPY (%s\n%s\n%s) TO %s (%s)"
                            .formatted(
                                    select.isEmpty() ? "" : select + " FROM (",
                                    sql,
                                    select.isEmpty() ? "" : ")",
                                    literal(file.toString()),
                                    format.copyOptions()));
        }
    }

    /** JSON knows no NaN and no infinity. Empty when no column could hold one. */
    private String finite() throws SQLException {
        List<String> replaced = new ArrayList<>();
        try (PreparedStatement statement = statements.prepare("FROM (\n" + sql + "\n)")) {
            ResultSetMetaData meta = statement.getMetaData();
            for (int i = 1; i <= meta.getColumnCount(); i++) {
                int type = meta.getColumnType(i);
                if (type == Types.DOUBLE || type == Types.FLOAT || type == Types.REAL) {
                    String name = identifier(meta.getColumnLabel(i));
                    replaced.add("CASE WHEN isfinite(%1$s) THEN %1$s END AS %1$s".formatted(name));
                }
            }
        }
        return replaced.isEmpty() ? "" : "SELECT * REPLACE (" + String.join(", ", replaced) + ")";
    }

    /** What EXPLAIN gives: a drawing of several lines. */
    private static boolean isPlan(ResultSet rows) throws SQLException {
        return rows.getMetaData().getColumnLabel(1).equals("explain_key");
    }

    private static void printPlan(ResultSet rows, PrintWriter writer) throws SQLException {
        while (rows.next()) {
            rows.getString(2).lines().map(Cells::printable).forEach(writer::println);
        }
        writer.flush();
    }

    /** What statements that give no rows give. */
    static boolean isCount(ResultSet rows) throws SQLException {
        ResultSetMetaData meta = rows.getMetaData();
        return meta.getColumnCount() == 1
                && (meta.getColumnLabel(1).equals("Count")
                        || meta.getColumnLabel(1).equals("Success"));
    }
}
