package dev.tidemark.deploy.lake;

import dev.tidemark.deploy.ExitCode;
import dev.tidemark.deploy.Failure;
import dev.tidemark.sql.LakeException;
import dev.tidemark.sql.Query;
import dev.tidemark.sql.QueryOutput;
import dev.tidemark.sql.QueryRunner;
import dev.tidemark.sql.ResultFormat;
import dev.tidemark.sql.TableLayout;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Tables about one session, as a person reads them. */
public final class SessionTables implements AutoCloseable {
    private final Connection connection;
    private final String sessionId;
    private final int columns;

    private SessionTables(Connection connection, String sessionId, int columns) {
        this.connection = connection;
        this.sessionId = sessionId;
        this.columns = columns;
    }

    /** Opens the lake for one session, for a terminal so wide, 0 for none. */
    public static SessionTables open(Path lake, String sessionId, int columns) {
        try {
            return new SessionTables(Lakes.open(lake).connect(), sessionId, columns);
        } catch (LakeException e) {
            throw new Failure(ExitCode.BAD_INPUT, String.valueOf(e.getMessage()), e);
        }
    }

    /** Prints what was recorded, and whether anything was lost. */
    public void printSession(PrintWriter out, String heading) throws IOException {
        try (InputStream in =
                Objects.requireNonNull(getClass().getResourceAsStream("session.sql"))) {
            String sql = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            print(out, heading, new Query("session.sql", sql, Map.of()));
        }
    }

    /**
     * Prints one of the queries that come with the lake.
     *
     * @param name such as {@code worst}
     * @param parameters besides the session
     */
    public void print(PrintWriter out, String heading, String name, Map<String, String> parameters)
            throws IOException {
        try {
            Query query = Query.named(name);
            for (Map.Entry<String, String> parameter : parameters.entrySet()) {
                query = query.with(parameter.getKey(), parameter.getValue());
            }
            print(out, heading, query);
        } catch (LakeException e) {
            throw new IOException(Failure.reason(e), e);
        }
    }

    private void print(PrintWriter out, String heading, Query query) throws IOException {
        out.println();
        out.println(heading);
        try {
            new QueryRunner(connection)
                    .run(
                            query.with("session", sessionId),
                            List.of(
                                    new QueryOutput.ToWriter(
                                            out, ResultFormat.TABLE, TableLayout.usual(columns))));
        } catch (LakeException e) {
            throw new IOException(Failure.reason(e), e);
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
