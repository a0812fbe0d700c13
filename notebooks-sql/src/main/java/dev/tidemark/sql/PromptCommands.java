package dev.tidemark.sql;

import dev.tidemark.schemas.lake.LakeColumn;
import dev.tidemark.schemas.lake.LakeTable;
import dev.tidemark.schemas.lake.LakeTables;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** What the prompt knows besides SQL: lines that begin with a dot. */
final class PromptCommands {
    /** All of them, for completion. */
    static final List<String> NAMES =
            List.of(
                    ".tables",
                    ".schema",
                    ".macros",
                    ".queries",
                    ".run",
                    ".dictionary",
                    ".format",
                    ".limit",
                    ".param",
                    ".out",
                    ".help",
                    ".quit");

    private static final String HELP =
            """
            SQL ends with a semicolon and may take several lines. Tab completes, Ctrl-R searches, Ctrl-C drops a line, Ctrl-D leaves.
              .tables             the views, and what a row of each is
              .schema VIEW        its columns
              .macros             the macros
              .queries            the queries that come with Tidemark; .run NAME runs one
              .param NAME VALUE   a value for $NAME in queries; without VALUE, all values
              .format NAME        table, csv, json or markdown
              .limit N            rows that a table shows at most; 0 for all
              .out FILE SQL       writes the rows of SQL into a file, in the format of its ending
              .dictionary         everything about views and columns
              .quit               leaves
            """;

    private final PromptState state;
    private final PrintWriter out;

    PromptCommands(PromptState state, PrintWriter out) {
        this.state = state;
        this.out = out;
    }

    /**
     * Runs a line that begins with a dot.
     *
     * @return whether the prompt goes on
     */
    boolean run(String line) throws LakeException, IOException {
        String[] words = line.strip().replaceFirst(";\\s*$", "").split("\\s+", 2);
        String rest = words.length > 1 ? words[1].strip() : "";
        switch (words[0]) {
            case ".quit", ".exit" -> {
                return false;
            }
            case ".help" -> out.print(HELP);
            case ".tables" -> tables();
            case ".schema" -> schema(rest);
            case ".macros" -> macros();
            case ".queries" -> queries();
            case ".run" -> state.run(Query.named(rest));
            case ".dictionary" -> out.print(Dictionary.markdown());
            case ".format" -> format(rest);
            case ".limit" -> limit(rest);
            case ".param" -> param(rest);
            case ".out" -> out(rest);
            default -> throw new LakeException("no command " + words[0] + "; see .help");
        }
        out.flush();
        return true;
    }

    private void tables() {
        List<List<@Nullable String>> rows = new ArrayList<>();
        for (LakeTable table : LakeTables.ALL) {
            rows.add(List.of(table.name(), table.grain()));
        }
        print(rows, "view", "row");
    }

    private void schema(String name) throws LakeException {
        LakeTable table;
        try {
            table = LakeTables.table(name.toLowerCase(Locale.ROOT));
        } catch (NoSuchElementException e) {
            throw new LakeException(
                    name.isEmpty() ? ".schema of which view? see .tables" : "no view " + name, e);
        }
        List<List<@Nullable String>> rows = new ArrayList<>();
        for (LakeColumn column : table.columns()) {
            rows.add(List.of(column.name(), column.type().sqlName(), column.comment()));
        }
        print(rows, "column", "type", "meaning");
    }

    private void macros() {
        List<List<@Nullable String>> rows = new ArrayList<>();
        for (LakeMacro macro : LakeMacro.all()) {
            rows.add(List.of(macro.signature(), macro.comment()));
        }
        print(rows, "macro", "gives");
    }

    private void queries() {
        List<List<@Nullable String>> rows = new ArrayList<>();
        for (String name : Query.names()) {
            rows.add(List.of(name, Query.comment(name)));
        }
        print(rows, "query", "answers");
    }

    private void format(String name) throws LakeException {
        ResultFormat format =
                Arrays.stream(ResultFormat.values())
                        .filter(one -> one.name().equalsIgnoreCase(name))
                        .filter(one -> one != ResultFormat.PARQUET)
                        .findFirst()
                        .orElseThrow(
                                () ->
                                        new LakeException(
                                                "format \""
                                                        + name
                                                        + "\": use table, csv, json or markdown"));
        state.format(format);
    }

    private void limit(String rows) throws LakeException {
        try {
            state.limit(Integer.parseUnsignedInt(rows));
        } catch (NumberFormatException e) {
            throw new LakeException(
                    "limit \"" + rows + "\": use a number of rows, or 0 for all", e);
        }
    }

    private void param(String rest) throws LakeException {
        if (rest.isEmpty()) {
            List<List<@Nullable String>> rows = new ArrayList<>();
            state.parameters().forEach((name, value) -> rows.add(List.of(name, value)));
            print(rows, "parameter", "value");
            return;
        }
        String[] words = rest.split("[\\s=]+", 2);
        if (words.length < 2) {
            throw new LakeException(".param " + words[0] + ": give a value, too");
        }
        state.parameter(words[0], words[1]);
    }

    private void out(String rest) throws LakeException, IOException {
        String[] words = rest.split("\\s+", 2);
        if (words.length < 2) {
            throw new LakeException(".out needs a file and SQL: .out ticks.csv FROM ticks");
        }
        Path file = Path.of(words[0]);
        state.run(Query.typed(words[1]), QueryOutput.ToFile.byEnding(file));
        out.println("wrote " + file);
    }

    private void print(List<List<@Nullable String>> rows, String... names) {
        new TableWriter(out, TableLayout.UNBOUNDED)
                .print(
                        new ResultTable(
                                Arrays.stream(names)
                                        .map(name -> new ResultTable.Column(name, false))
                                        .toList(),
                                rows,
                                false));
    }
}
