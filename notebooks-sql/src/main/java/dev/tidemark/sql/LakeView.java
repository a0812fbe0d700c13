package dev.tidemark.sql;

import java.util.List;

/**
 * A view.
 *
 * @param name with its schema, where that isn't {@code main}
 * @param query what it selects
 * @param comment what a row is
 * @param columns in order, with their comments
 */
record LakeView(String name, String query, String comment, List<Column> columns) {
    /** Schema of what the contract is made from. */
    static final String STAGING = "staging";

    /** What the names of views over files begin with. */
    static final String STORED = STAGING + ".stored_";

    /** A column with its comment. */
    record Column(String name, String comment) {}

    /** Whether it reads a table's files. */
    boolean isStored() {
        return name.startsWith(STORED);
    }

    /** The name without its schema. */
    String shortName() {
        return name.substring(name.indexOf('.') + 1);
    }

    /** The name, quoted: {@code values} is a word of SQL. */
    String quotedName() {
        String quoted = SqlNames.identifier(shortName());
        return name.startsWith(STAGING + ".") ? STAGING + "." + quoted : quoted;
    }
}
