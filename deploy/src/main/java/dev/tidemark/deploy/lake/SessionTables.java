package dev.tidemark.deploy.lake;

import dev.tidemark.deploy.ExitCode;
import dev.tidemark.deploy.Failure;
import dev.tidemark.sql.LakeException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

/** Tables about one session, as a person reads them: each from a SQL file beside this class. */
public final class SessionTables implements AutoCloseable {
    private static final Pattern SESSION_ID = Pattern.compile("[0-9a-f-]{36}");

    private final Connection connection;
    private final String sessionId;

    private SessionTables(Connection connection, String sessionId) {
        this.connection = connection;
        this.sessionId = sessionId;
    }

    /** Opens the lake for one session. */
    public static SessionTables open(Path lake, String sessionId) {
        if (!SESSION_ID.matcher(sessionId).matches()) {
            throw new IllegalArgumentException("session id '" + sessionId + "' is no UUID");
        }
        try {
            return new SessionTables(Lakes.open(lake).connect(), sessionId);
        } catch (LakeException e) {
            throw new Failure(ExitCode.BAD_INPUT, String.valueOf(e.getMessage()), e);
        }
    }

    /**
     * Prints a table.
     *
     * @param name of the SQL file, without its ending
     * @param span {@code tick} or {@code frame}: what the file says for {@code ${span}}
     */
    public void print(PrintWriter out, String heading, String name, String span) throws IOException {
        out.println();
        out.println(heading);
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql(name, span))) {
            TextTable.read(rows).print(out);
        } catch (SQLException e) {
            throw new IOException(name + ".sql: " + Failure.reason(e), e);
        }
    }

    private String sql(String name, String span) throws IOException {
        try (InputStream in =
                Objects.requireNonNull(getClass().getResourceAsStream(name + ".sql"), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .replace("${session}", sessionId)
                    .replace("${span}", span);
        }
    }

    @Override
    public void close() throws IOException {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new IOException("the lake could not be closed: " + Failure.reason(e), e);
        }
    }
}
