package dev.tidemark.sql;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** What a query gives, row by row, values joined by {@code |}. */
final class Rows {
    private Rows() {}

    static List<String> of(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            int columns = rows.getMetaData().getColumnCount();
            List<String> lines = new ArrayList<>();
            while (rows.next()) {
                List<String> values = new ArrayList<>();
                for (int column = 1; column <= columns; column++) {
                    values.add(String.valueOf(rows.getObject(column)));
                }
                lines.add(String.join("|", values));
            }
            return lines;
        }
    }
}
