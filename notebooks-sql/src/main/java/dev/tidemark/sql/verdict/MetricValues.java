package dev.tidemark.sql.verdict;

import dev.tidemark.sql.LakeException;
import dev.tidemark.sql.SqlErrors;
import dev.tidemark.sql.SqlFile;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** One value per session, metric and phase, by SQL over a lake. */
final class MetricValues {
    /** The phase of a session as a whole. */
    static final String WHOLE = "";

    private static final String USED = "metrics/used/";

    private final Map<Key, Double> values = new HashMap<>();

    private MetricValues() {}

    private record Key(String sessionId, String metric, String phase) {}

    /**
     * Computes values.
     *
     * @param connection to a lake; its temporary tables are made anew
     * @param sessionIds of sessions that the lake has
     * @param phases besides the whole session
     */
    static MetricValues read(
            Connection connection,
            Collection<String> sessionIds,
            Collection<Metric> metrics,
            Collection<String> phases)
            throws LakeException {
        MetricValues read = new MetricValues();
        try {
            prepare(connection, sessionIds, phases);
            for (MetricFile file : MetricCatalogue.files()) {
                List<Metric> wanted = file.metrics().stream().filter(metrics::contains).toList();
                if (!wanted.isEmpty()) {
                    read.add(connection, file, wanted);
                }
            }
        } catch (SQLException e) {
            throw new LakeException("metrics: " + SqlErrors.oneLine(e), e);
        }
        return read;
    }

    /** The value of a session; empty where it was not measured. */
    OptionalDouble of(String sessionId, Metric metric, String phase) {
        Double value = values.get(new Key(sessionId, metric.name(), phase));
        return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
    }

    private static void prepare(
            Connection connection, Collection<String> sessionIds, Collection<String> phases)
            throws SQLException {
        execute(connection, used("sessions"), String.join("\n", sessionIds));
        execute(connection, used("scopes"), String.join("\n", phases));
        try (Statement statement = connection.createStatement()) {
            statement.execute(used("phases"));
            statement.execute(used("spans").replace("{span}", "frame"));
            statement.execute(used("spans").replace("{span}", "tick"));
            statement.execute(used("spans_of_phases"));
        }
    }

    private static String used(String name) {
        return SqlFile.read(USED + name + ".sql").statement();
    }

    private static void execute(Connection connection, String sql, String parameter)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, parameter);
            statement.execute();
        }
    }

    private void add(Connection connection, MetricFile file, List<Metric> wanted)
            throws SQLException {
        String columns =
                wanted.stream()
                        .map(metric -> "CAST(measured." + metric.name() + " AS DOUBLE)")
                        .collect(Collectors.joining(", "));
        String sql =
                """
                SELECT used_sessions.session_id, coalesce(used_scopes.phase, ''), %s
                FROM (
                %s
                ) AS measured
                JOIN used_sessions ON used_sessions.session = measured.session
                LEFT JOIN used_scopes ON used_scopes.scope = measured.scope
                """
                        .formatted(columns, file.query());
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                for (int i = 0; i < wanted.size(); i++) {
                    double value = rows.getDouble(i + 3);
                    if (!rows.wasNull() && Double.isFinite(value)) {
                        values.put(
                                new Key(rows.getString(1), wanted.get(i).name(), rows.getString(2)),
                                value);
                    }
                }
            }
        }
    }
}
