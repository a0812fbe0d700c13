package dev.tidemark.sql;

import dev.tidemark.schemas.lake.LakeTable;
import dev.tidemark.schemas.lake.LakeTables;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jline.reader.Candidate;
import org.jline.reader.Completer;
import org.jline.reader.LineReader;
import org.jline.reader.ParsedLine;

/** Completes views, columns, macros, the usual words of SQL and, on a line's begin, commands. */
final class SqlCompleter implements Completer {
    private static final List<String> WORDS =
            List.of(
                    "SELECT",
                    "FROM",
                    "WHERE",
                    "GROUP BY",
                    "ORDER BY",
                    "LIMIT",
                    "JOIN",
                    "LEFT JOIN",
                    "ON",
                    "USING",
                    "AND",
                    "OR",
                    "NOT",
                    "NULL",
                    "IS",
                    "IN",
                    "AS",
                    "CASE",
                    "WHEN",
                    "THEN",
                    "ELSE",
                    "END",
                    "DISTINCT",
                    "HAVING",
                    "UNION ALL",
                    "WITH",
                    "DESC",
                    "DESCRIBE",
                    "SUMMARIZE",
                    "count(*)",
                    "sum(",
                    "avg(",
                    "min(",
                    "max(",
                    "quantile_disc(");

    private final List<String> views = LakeTables.ALL.stream().map(LakeTable::name).toList();
    private final List<String> columns =
            LakeTables.ALL.stream()
                    .flatMap(table -> table.columns().stream())
                    .map(column -> column.name().equals("at") ? "\"at\"" : column.name())
                    .distinct()
                    .sorted()
                    .toList();
    private final List<String> macros =
            LakeMacro.all().stream().map(macro -> macro.name() + "(").toList();

    @Override
    public void complete(LineReader reader, ParsedLine line, List<Candidate> candidates) {
        String before = line.line().substring(0, line.cursor());
        if (before.stripLeading().startsWith(".")) {
            commands(before, candidates);
            return;
        }
        String word = line.word().substring(0, line.wordCursor());
        int dot = word.lastIndexOf('.');
        if (dot >= 0) {
            columnsOf(word.substring(0, dot), word.substring(0, dot + 1), candidates);
            return;
        }
        add(views, "views", candidates);
        add(columns, "columns", candidates);
        add(macros, "macros", candidates);
        boolean isUpper = !word.isEmpty() && word.equals(word.toUpperCase(Locale.ROOT));
        add(
                WORDS.stream()
                        .map(one -> isUpper || word.isEmpty() ? one : one.toLowerCase(Locale.ROOT))
                        .toList(),
                "SQL",
                candidates);
    }

    private void commands(String before, List<Candidate> candidates) {
        String[] words = before.stripLeading().split("\\s+", -1);
        if (words.length == 1) {
            add(PromptCommands.NAMES, "commands", candidates);
            return;
        }
        List<String> next =
                switch (words[0]) {
                    case ".schema" -> views;
                    case ".run" -> Query.names();
                    case ".format" ->
                            Stream.of(ResultFormat.values())
                                    .filter(format -> format != ResultFormat.PARQUET)
                                    .map(format -> format.name().toLowerCase(Locale.ROOT))
                                    .toList();
                    default -> List.of();
                };
        add(next, "values", candidates);
    }

    private static void columnsOf(String view, String prefix, List<Candidate> candidates) {
        SortedSet<String> names = new TreeSet<>();
        for (LakeTable table : LakeTables.ALL) {
            if (table.name().equalsIgnoreCase(view)) {
                table.columns().forEach(column -> names.add(prefix + column.name()));
            }
        }
        add(List.copyOf(names), "columns", candidates);
    }

    private static void add(List<String> values, String group, List<Candidate> candidates) {
        for (String value : values) {
            boolean isWhole = !value.endsWith("(");
            candidates.add(new Candidate(value, value, group, null, null, null, isWhole));
        }
    }
}
