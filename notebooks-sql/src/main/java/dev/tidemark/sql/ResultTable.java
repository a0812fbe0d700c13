package dev.tidemark.sql;

import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a result that are shown.
 *
 * @param columns in order
 * @param rows a cell for each column, null where it is NULL
 * @param hasMore whether the result goes on
 */
record ResultTable(List<Column> columns, List<List<@Nullable String>> rows, boolean hasMore) {
    private static final Pattern PLAIN_NUMBER = Pattern.compile("-?\\d+(\\.\\d+)?");

    /** A column; numbers stand to the right. */
    record Column(String name, boolean isNumber) {}

    /**
     * Reads a result.
     *
     * @param maxRows how many rows at most; 0 for all
     */
    static ResultTable read(ResultSet result, int maxRows) throws SQLException {
        ResultSetMetaData meta = result.getMetaData();
        List<Column> columns = new ArrayList<>();
        for (int i = 1; i <= meta.getColumnCount(); i++) {
            columns.add(
                    new Column(
                            Cells.printable(meta.getColumnLabel(i)),
                            isNumber(meta.getColumnType(i), meta.getColumnTypeName(i))));
        }
        List<List<@Nullable String>> rows = new ArrayList<>();
        boolean hasMore = false;
        while (!hasMore && result.next()) {
            if (maxRows > 0 && rows.size() == maxRows) {
                hasMore = true;
            } else {
                List<@Nullable String> row = new ArrayList<>();
                for (int i = 1; i <= columns.size(); i++) {
                    row.add(Cells.text(result, i));
                }
                rows.add(row);
            }
        }
        return new ResultTable(columns, rows, hasMore);
    }

    /**
     * The same with as many digits after the point in each cell of a column of fractions, so that
     * their points stand below each other.
     */
    ResultTable withPointsAligned() {
        List<List<@Nullable String>> aligned = new ArrayList<>();
        rows.forEach(row -> aligned.add(new ArrayList<>(row)));
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).isNumber()) {
                alignPoints(aligned, i);
            }
        }
        return new ResultTable(columns, aligned, hasMore);
    }

    private static void alignPoints(List<List<@Nullable String>> rows, int column) {
        int most = 0;
        for (List<@Nullable String> row : rows) {
            most = Math.max(most, digitsAfterPoint(row.get(column)));
        }
        for (List<@Nullable String> row : rows) {
            String cell = row.get(column);
            int digits = digitsAfterPoint(cell);
            if (cell != null && digits >= 0 && digits < most) {
                row.set(column, cell + (digits == 0 ? "." : "") + "0".repeat(most - digits));
            }
        }
    }

    /** -1 for what is no plain number. */
    private static int digitsAfterPoint(@Nullable String cell) {
        if (cell == null || !PLAIN_NUMBER.matcher(cell).matches()) {
            return -1;
        }
        int point = cell.indexOf('.');
        return point < 0 ? 0 : cell.length() - point - 1;
    }

    private static boolean isNumber(int type, String typeName) {
        return switch (type) {
            case Types.TINYINT,
                    Types.SMALLINT,
                    Types.INTEGER,
                    Types.BIGINT,
                    Types.FLOAT,
                    Types.REAL,
                    Types.DOUBLE,
                    Types.NUMERIC,
                    Types.DECIMAL ->
                    true;
            default -> typeName.endsWith("INT") || typeName.endsWith("INTEGER");
        };
    }
}
