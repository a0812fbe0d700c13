package dev.tidemark.sql;

import static dev.tidemark.sql.SqlNames.identifier;

import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Runs queries on one connection and writes what they give. One thread. */
public final class QueryRunner {
    private static final String RESULT = "temp.tidemark_result";

    private final Statements statements;

    /** Runs on this connection, which stays the caller's to close. */
    public QueryRunner(Connection connection) {
        this.statements = new Statements(connection);
    }

    /**
     * Runs a query's statements in order. A writer gets every result; files get the last one.
     *
     * @throws LakeException when a statement or an output can't be; one line that begins with the
     *     query's name, line and column where the place is known
     */
    public void run(Query query, List<? extends QueryOutput> outputs)
            throws LakeException, IOException {
        List<SqlStatement> script = SqlScript.parse(query.text()).statements();
        if (script.isEmpty()) {
            throw new LakeException(query.name() + ": holds no statement");
        }
        for (SqlStatement statement : script) {
            requireParameters(query, statement);
        }
        set(query.parameters());
        List<QueryOutput> writers = new ArrayList<>();
        outputs.stream().filter(QueryOutput.ToWriter.class::isInstance).forEach(writers::add);
        for (SqlStatement statement : script.subList(0, script.size() - 1)) {
            run(query, statement, writers);
        }
        run(query, script.get(script.size() - 1), outputs);
    }

    /** Ends the statement that runs, if one does, with an error; from any thread. */
    void cancel() throws SQLException {
        statements.cancel();
    }

    private static void requireParameters(Query query, SqlStatement statement)
            throws LakeException {
        for (String parameter : statement.parameters()) {
            if (!query.parameters().containsKey(parameter)) {
                throw new LakeException(
                        "%s:%d:%d: no value for $%s; add --param %s=VALUE"
                                .formatted(
                                        query.name(),
                                        statement.line(),
                                        statement.column(),
                                        parameter,
                                        parameter));
            }
        }
    }

    private void set(Map<String, String> parameters) throws LakeException {
        for (Map.Entry<String, String> parameter : parameters.entrySet()) {
            String sql = "SET VARIABLE " + identifier(parameter.getKey()) + " = ?";
            try (PreparedStatement statement = statements.prepare(sql)) {
                statement.setString(1, parameter.getValue());
                statement.execute();
            } catch (SQLException e) {
                throw new LakeException(
                        "parameter " + parameter.getKey() + ": " + SqlErrors.oneLine(e), e);
            }
        }
    }

    private void run(Query query, SqlStatement statement, List<? extends QueryOutput> outputs)
            throws LakeException, IOException {
        if (outputs.isEmpty() || !statement.isQuery()) {
            runOnce(query, statement, outputs);
            return;
        }
        check(query, statement);
        if (outputs.size() == 1) {
            write(query, statement, outputs.get(0), statement.sql());
        } else {
            // All outputs get the same rows, whatever the query does.
            execute(
                    query,
                    statement,
                    "CREATE OR REPLACE TEMP TABLE tidemark_result AS\n" + statement.sql());
            for (QueryOutput output : outputs) {
                write(query, statement, output, "FROM " + RESULT);
            }
            execute(query, statement, "DROP TABLE " + RESULT);
        }
    }

    /** A slip shows here as it was written; below, the statement stands within another. */
    private void check(Query query, SqlStatement statement) throws LakeException {
        try (PreparedStatement prepared = statements.prepare(statement.sql())) {
            if (prepared.getParameterMetaData().getParameterCount() > 0) {
                throw new LakeException(
                        "%s:%d:%d: takes parameters by number; write $NAME and add --param NAME=VALUE"
                                .formatted(query.name(), statement.line(), statement.column()));
            }
        } catch (SQLException e) {
            throw new LakeException(SqlErrors.oneLine(e, query.name(), statement, 0), e);
        }
    }

    /** For what may be no query, such as SET or EXPLAIN. */
    private void runOnce(Query query, SqlStatement statement, List<? extends QueryOutput> outputs)
            throws LakeException {
        try (Statement execution = statements.create()) {
            if (!execution.execute(statement.sql()) || outputs.isEmpty()) {
                return;
            }
            try (ResultSet rows = execution.getResultSet()) {
                if (outputs.size() == 1
                        && outputs.get(0) instanceof QueryOutput.ToWriter to
                        && to.format().isText()) {
                    ResultExport.print(rows, to);
                } else if (rows.getMetaData().getColumnCount() > 0 && !ResultExport.isCount(rows)) {
                    throw new LakeException(
                            "%s:%d:%d: only a query's rows can be written in that format or file"
                                    .formatted(query.name(), statement.line(), statement.column()));
                }
            }
        } catch (SQLException e) {
            throw new LakeException(SqlErrors.oneLine(e, query.name(), statement, 0), e);
        }
    }

    private void write(Query query, SqlStatement statement, QueryOutput output, String sql)
            throws LakeException, IOException {
        try {
            new ResultExport(statements, sql).write(output);
        } catch (SQLException e) {
            throw new LakeException(
                    SqlErrors.oneLine(e, query.name(), statement, ResultExport.LINES_BEFORE), e);
        }
    }

    private void execute(Query query, SqlStatement statement, String sql) throws LakeException {
        try (Statement execution = statements.create()) {
            execution.execute(sql);
        } catch (SQLException e) {
            throw new LakeException(
                    SqlErrors.oneLine(e, query.name(), statement, ResultExport.LINES_BEFORE), e);
        }
    }
}
