package dev.tidemark.sql;

import java.util.Locale;
import java.util.Set;
import java.util.SortedSet;

/**
 * A statement of a script.
 *
 * @param sql the statement as DuckDB gets it: without its semicolon, and with {@code $name} read
 *     from a variable
 * @param text as it was written
 * @param line of its first character in the script, from 1
 * @param column of its first character in that line, from 1
 * @param parameters names that it takes
 */
record SqlStatement(String sql, String text, int line, int column, SortedSet<String> parameters) {
    private static final Set<String> QUERIES =
            Set.of(
                    "select",
                    "from",
                    "with",
                    "values",
                    "table",
                    "describe",
                    "desc",
                    "show",
                    "summarize",
                    "pivot",
                    "unpivot");

    /** Whether it gives rows and can stand where a query can. */
    boolean isQuery() {
        String start = SqlScript.withoutComments(text).strip();
        if (start.startsWith("(")) {
            return true;
        }
        String word = start.split("[^A-Za-z_]", 2)[0];
        return QUERIES.contains(word.toLowerCase(Locale.ROOT));
    }
}
