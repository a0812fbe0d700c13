package dev.tidemark.sql;

import java.io.IOException;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntSupplier;

/** What a person has set at the prompt, and the running of queries with it. */
final class PromptState {
    private final QueryRunner runner;
    private final PrintWriter out;
    private final IntSupplier width;
    private final SortedMap<String, String> parameters;
    private ResultFormat format = ResultFormat.TABLE;
    private int limit = TableLayout.USUAL_ROWS;

    PromptState(
            Connection connection,
            PrintWriter out,
            IntSupplier width,
            Map<String, String> parameters) {
        this.runner = new QueryRunner(connection);
        this.out = out;
        this.width = width;
        this.parameters = new TreeMap<>(parameters);
    }

    void run(Query query) throws LakeException, IOException {
        run(query, new QueryOutput.ToWriter(out, format, new TableLayout(width(), limit)));
    }

    void run(Query query, QueryOutput output) throws LakeException, IOException {
        Query filled = query;
        for (Map.Entry<String, String> parameter : parameters.entrySet()) {
            filled = filled.with(parameter.getKey(), parameter.getValue());
        }
        runner.run(filled, List.of(output));
    }

    /** Ends the statement that runs, if one does, with an error; from any thread. */
    void cancel() {
        try {
            runner.cancel();
        } catch (SQLException e) {
            out.println("the statement goes on: " + SqlErrors.oneLine(e));
        }
    }

    int width() {
        return width.getAsInt();
    }

    Map<String, String> parameters() {
        return parameters;
    }

    void parameter(String name, String value) throws LakeException {
        Query.typed("").with(name, value);
        parameters.put(name, value);
    }

    void format(ResultFormat other) {
        format = other;
    }

    void limit(int rows) {
        limit = rows;
    }
}
