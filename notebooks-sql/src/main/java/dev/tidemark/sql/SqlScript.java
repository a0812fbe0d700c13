package dev.tidemark.sql;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Statements, separated by semicolons. Semicolons and parameters within strings, quoted names and
 * comments are text.
 *
 * @param statements in order, empty ones left out
 * @param isFinished whether the text ends after a semicolon, blanks and comments aside
 */
record SqlScript(List<SqlStatement> statements, boolean isFinished) {
    /** One at a time, in this order of precedence. Those that may lack their end run to the end. */
    private static final Pattern TOKEN =
            Pattern.compile(
                    """
                    (?<comment>--[^\\n]*|/\\*(?s:.*?)(?:\\*/|\\z))\
                    |(?<string>[eE]'(?:[^'\\\\]++|\\\\(?s:.))*+(?:'|\\z)|'[^']*+(?:'|\\z)|"[^"]*+(?:"|\\z)\
                    |(?<tag>\\$(?:[A-Za-z_]\\w*)?\\$)(?s:.*?)(?:\\k<tag>|\\z))\
                    |(?<end>;)\
                    |\\$(?<parameter>[A-Za-z_]\\w*)\
                    |(?<other>\\w+|(?s:.))""");

    /** Reads a script; never fails, since what is no SQL is DuckDB's to say. */
    static SqlScript parse(String text) {
        List<SqlStatement> statements = new ArrayList<>();
        Matcher token = TOKEN.matcher(text);
        StringBuilder sql = new StringBuilder();
        SortedSet<String> parameters = new TreeSet<>();
        int start = -1;
        int end = 0;
        while (token.lookingAt()) {
            String found = token.group();
            if (token.group("end") != null) {
                if (start >= 0) {
                    statements.add(statement(text, start, end, sql, parameters));
                }
                start = -1;
            } else if (start >= 0 || isCode(token)) {
                if (start < 0) {
                    start = token.start();
                    sql = new StringBuilder();
                    parameters = new TreeSet<>();
                }
                String parameter = token.group("parameter");
                if (parameter != null) {
                    parameters.add(parameter);
                }
                sql.append(parameter == null ? found : "getvariable('" + parameter + "')");
                end = isCode(token) ? token.end() : end;
            }
            token.region(token.end(), text.length());
        }
        boolean isFinished = start < 0;
        if (!isFinished) {
            statements.add(statement(text, start, end, sql, parameters));
        }
        return new SqlScript(List.copyOf(statements), isFinished);
    }

    /** The text with a blank for each comment. */
    static String withoutComments(String text) {
        StringBuilder code = new StringBuilder();
        Matcher token = TOKEN.matcher(text);
        while (token.lookingAt()) {
            code.append(token.group("comment") == null ? token.group() : " ");
            token.region(token.end(), text.length());
        }
        return code.toString();
    }

    private static boolean isCode(Matcher token) {
        return token.group("comment") == null && !token.group().isBlank();
    }

    private static SqlStatement statement(
            String text, int start, int end, StringBuilder sql, SortedSet<String> parameters) {
        String before = text.substring(0, start);
        int line = 1 + (int) before.chars().filter(c -> c == '\n').count();
        int column = start - (before.lastIndexOf('\n') + 1) + 1;
        return new SqlStatement(
                sql.toString().stripTrailing(),
                text.substring(start, end),
                line,
                column,
                Collections.unmodifiableSortedSet(parameters));
    }
}
