package dev.tidemark.sql;

/** Writes names and strings so that SQL reads them as they are. */
final class SqlNames {
    private SqlNames() {}

    /** A string literal. */
    static String literal(String text) {
        return "'" + text.replace("'", "''") + "'";
    }

    /** A quoted identifier. */
    static String identifier(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    /** A path in which no character is a wildcard. */
    static String plainPath(String path) {
        return path.replaceAll("[\\[*?]", "[$0]");
    }
}
