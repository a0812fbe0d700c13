package dev.tidemark.sql.verdict;

import dev.tidemark.sql.LakeException;
import dev.tidemark.sql.SqlErrors;
import dev.tidemark.sql.SqlFile;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads the sessions that a comparison may look at. */
final class SessionRows {
    private static final int FIRST_FIELD = 7;

    private SessionRows() {}

    /**
     * All sessions that a condition holds for, the newest first.
     *
     * @param where a condition in SQL over the columns of the view {@code sessions}
     */
    static List<SessionRow> read(Connection connection, String where) throws LakeException {
        String sql = SqlFile.read("compare/sessions.sql").statement().replace("{where}", where);
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            List<SessionRow> read = new ArrayList<>();
            while (rows.next()) {
                read.add(row(rows));
            }
            return read;
        } catch (SQLException e) {
            throw new LakeException("--where " + where + ": " + SqlErrors.oneLine(e), e);
        }
    }

    private static SessionRow row(ResultSet rows) throws SQLException {
        Map<String, String> fields = new HashMap<>();
        for (int i = FIRST_FIELD; i <= rows.getMetaData().getColumnCount(); i++) {
            String value = rows.getString(i);
            if (value != null) {
                fields.put(rows.getMetaData().getColumnLabel(i), value);
            }
        }
        int round = rows.getInt(3);
        boolean hasRound = !rows.wasNull();
        return new SessionRow(
                rows.getString(1),
                rows.getString(2),
                hasRound ? round : null,
                rows.getLong(4),
                rows.getString(5),
                rows.getString(6),
                Map.copyOf(fields));
    }
}
