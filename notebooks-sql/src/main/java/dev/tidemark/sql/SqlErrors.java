package dev.tidemark.sql;

import java.sql.SQLException;

final class SqlErrors {
    static String oneLine(SQLException e) {
        return String.valueOf(e.getMessage()).strip().replaceAll("\\s*\\R\\s*", "; ");
    }
}
