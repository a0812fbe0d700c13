package dev.tidemark.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/** Makes a connection's statements, and remembers the newest one so that it can be cancelled. */
final class Statements {
    private final Connection connection;
    private volatile @Nullable Statement newest;

    Statements(Connection connection) {
        this.connection = connection;
    }

    Statement create() throws SQLException {
        Statement statement = connection.createStatement();
        newest = statement;
        return statement;
    }

    PreparedStatement prepare(String sql) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        newest = statement;
        return statement;
    }

    /** Ends the statement that runs, if one does, with an error; from any thread. */
    void cancel() throws SQLException {
        Statement statement = newest;
        if (statement != null && !statement.isClosed()) {
            statement.cancel();
        }
    }
}
