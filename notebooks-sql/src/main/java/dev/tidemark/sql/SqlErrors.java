package dev.tidemark.sql;

import java.sql.SQLException;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What DuckDB says of a statement, in one line. */
public final class SqlErrors {
    /** DuckDB quotes the line, cut at either end if it is long, and points below it. */
    private static final Pattern POINTER =
            Pattern.compile("(?s)\\n+(LINE (\\d+): )([^\\n]*)\\n( *)\\^.*");

    private static final Pattern PREFIX = Pattern.compile("^TransactionContext Error: ");
    private static final Pattern CUT = Pattern.compile("^\\.\\.\\.|\\.\\.\\.$");

    private static final Pattern COLUMN_AT = Pattern.compile("(?i)(^|[\\s,(])at\\s*$");

    private static final Pattern BROKEN_FILE =
            Pattern.compile(
                    "(?i)\\.parquet.*(too small|magic bytes|footer|corrupt)|(too small|magic bytes|footer|corrupt).*\\.parquet");

    private SqlErrors() {}

    /** The message alone. */
    public static String oneLine(SQLException error) {
        String message = POINTER.matcher(message(error)).replaceFirst("");
        return PREFIX.matcher(message)
                .replaceFirst("")
                .strip()
                .replaceAll("\\s*\\R\\s*", "; ")
                .replace("!;", ";");
    }

    /**
     * The message with its place: {@code query:2:5: ...}, line and column from 1 as in the script.
     *
     * @param linesBefore lines put before the statement for DuckDB
     */
    static String oneLine(
            SQLException error, String script, SqlStatement statement, int linesBefore) {
        Matcher pointer = POINTER.matcher(message(error));
        int line = 0;
        int column = 0;
        if (pointer.find()) {
            String excerpt = pointer.group(3);
            String shown = CUT.matcher(excerpt).replaceAll("");
            String[] lines = statement.sql().split("\\n", -1);
            int said = Integer.parseInt(pointer.group(2)) - 1;
            // DuckDB does not always count the lines before.
            line = holds(lines, said - linesBefore, shown) ? said - linesBefore : said;
            if (holds(lines, line, shown)) {
                int cutBefore = excerpt.startsWith("...") && !lines[line].startsWith("...") ? 3 : 0;
                column =
                        lines[line].indexOf(shown)
                                + pointer.group(4).length()
                                - pointer.group(1).length()
                                - cutBefore;
            } else {
                line = 0;
            }
        }
        return "%s:%d:%d: %s%s"
                .formatted(
                        script,
                        statement.line() + line,
                        (line == 0 ? statement.column() : 1) + Math.max(0, column),
                        oneLine(error),
                        hint(error));
    }

    private static boolean holds(String[] lines, int line, String shown) {
        return line >= 0 && line < lines.length && lines[line].contains(shown);
    }

    private static String hint(SQLException error) {
        String message = message(error);
        Matcher pointer = POINTER.matcher(message);
        if (message.contains("syntax error") && pointer.find()) {
            int place = pointer.group(4).length() - pointer.group(1).length();
            String excerpt = pointer.group(3);
            if (place > 0
                    && place <= excerpt.length()
                    && COLUMN_AT.matcher(excerpt.substring(0, place)).find()) {
                return "; the column at is a word of SQL: write it \"at\"";
            }
        }
        return BROKEN_FILE.matcher(message).find()
                ? "; the file is broken: move it out of the lake"
                : "";
    }

    private static String message(SQLException error) {
        return Objects.requireNonNullElse(error.getMessage(), "no message");
    }
}
