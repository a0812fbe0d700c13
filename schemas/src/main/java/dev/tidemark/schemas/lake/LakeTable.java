package dev.tidemark.schemas.lake;

import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.Collectors;

/**
 * A table of the lake: files under {@code LAKE/<name>/day=.../load=.../} and the view of the same
 * name over them.
 *
 * @param name plural, in snake case
 * @param grain a sentence that says what a row is
 * @param columns in order; the stored ones are the files' columns in the files' order
 */
public record LakeTable(String name, String grain, List<LakeColumn> columns) {
    /** Folder and column of a row's own UTC day. */
    public static final String DAY = "day";

    /** Folder and column of the load that wrote a row. */
    public static final String LOAD = "load";

    /** Copies the columns. */
    public LakeTable {
        columns = List.copyOf(columns);
    }

    /** The columns that the files have. */
    public List<LakeColumn> storedColumns() {
        return columns.stream().filter(LakeColumn::isStored).toList();
    }

    /**
     * Place of a stored column in a row.
     *
     * @throws NoSuchElementException when the table stores no such column
     */
    public int indexOf(String column) {
        List<LakeColumn> stored = storedColumns();
        for (int i = 0; i < stored.size(); i++) {
            if (stored.get(i).name().equals(column)) {
                return i;
            }
        }
        throw new NoSuchElementException("table " + name + " stores no column " + column);
    }

    /** The files' schema in Parquet's own text form. */
    public String parquetSchema() {
        return storedColumns().stream()
                .map(column -> "  " + column.type().parquetField(column.name()))
                .collect(Collectors.joining("\n", "message " + name + " {\n", "\n}\n"));
    }

    /**
     * A DuckDB statement that makes an empty table with the files' columns and the two of their
     * folders.
     */
    public String ddl() {
        return storedColumns().stream()
                .map(column -> "    " + column.name() + " " + column.type().sqlName())
                .collect(
                        Collectors.joining(
                                ",\n",
                                "CREATE TABLE \"" + name + "\" (\n",
                                ",\n    " + DAY + " DATE,\n    \"" + LOAD + "\" VARCHAR\n);\n"));
    }
}
