package dev.tidemark.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * From a C program of known allocations through recorder, agent, broker, Flink and Parquet to rows
 * in DuckDB. The figures are added up by hand from the program's text.
 */
class ChainITCase {
    /** Frames in which everything that the program does is in its steady state. */
    private static final int FIRST_STEADY = 5;

    private static final int LAST_STEADY = 14;

    @TempDir private static Path folder;

    private static int exitCode;
    private static String report = "";

    @BeforeAll
    static void record() throws Exception {
        Path program = CFixture.compile(folder, "known_frames");
        exitCode =
                run(
                        "record",
                        "--lake",
                        lake().toString(),
                        "--title",
                        "known",
                        "--",
                        program.toString());
    }

    private static Path lake() {
        return folder.resolve("lake");
    }

    private static int run(String... arguments) {
        StringWriter err = new StringWriter();
        int code =
                Tidemark.run(
                        arguments,
                        Map.of(),
                        new PrintWriter(new StringWriter()),
                        new PrintWriter(err));
        report += err;
        return code;
    }

    private static List<List<Object>> query(String sql) throws SQLException {
        Properties readOnly = new Properties();
        readOnly.setProperty("duckdb.read_only", "true");
        try (Connection connection =
                        DriverManager.getConnection(
                                "jdbc:duckdb:" + lake().resolve("tidemark.duckdb"), readOnly);
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            List<List<Object>> rows = new ArrayList<>();
            while (result.next()) {
                List<Object> row = new ArrayList<>();
                for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
                    row.add(result.getObject(i));
                }
                rows.add(row);
            }
            return rows;
        }
    }

    @Test
    void passesTheProgramsExitCodeOn() {
        assertThat(exitCode).as(report).isEqualTo(21);
    }

    @Test
    void showsEverySteadyFrameExactly() throws Exception {
        List<List<Object>> frames =
                query(
                        """
                        SELECT alloc_calls, free_calls, realloc_calls, failed_calls, alloc_bytes, free_bytes,
                               same_frame_blocks, same_frame_bytes, next_frame_blocks, next_frame_bytes,
                               frame_arena_bytes, double_buffer_bytes, adjusted_live_bytes, is_complete, phase
                        FROM frames WHERE frame BETWEEN %d AND %d ORDER BY frame
                        """
                                .formatted(FIRST_STEADY, LAST_STEADY));

        // Made: 101 211 309 307 401 503 601 31 97 53 0, and by resizing 701 71. Of these die in the
        // frame all but 401, 503, 601.
        assertThat(frames).hasSize(LAST_STEADY - FIRST_STEADY + 1);
        assertThat(frames)
                .allSatisfy(
                        frame ->
                                assertThat(frame)
                                        .asString()
                                        .isEqualTo(
                                                List.of(
                                                                11, 10, 2, 2, 3386, 2785, 10, 1881,
                                                                1, 401, 1968, 2384, 0, true,
                                                                "steady")
                                                        .toString()));
    }

    @Test
    void liveBytesGrowByWhatIsNeverFreed() throws Exception {
        assertThat(
                        query(
                                "SELECT DISTINCT live_bytes - lag(live_bytes) OVER (ORDER BY frame) AS grown FROM frames"
                                        + " WHERE frame BETWEEN 4 AND 14 QUALIFY grown IS NOT NULL"))
                .hasToString("[[601]]");
    }

    @Test
    void framesAddUpToTheSession() throws Exception {
        assertThat(
                        query(
                                """
                                WITH sums AS (
                                    SELECT sum(alloc_calls) AS allocs, sum(free_calls) AS frees, sum(alloc_bytes) AS made,
                                           sum(free_bytes) AS freed, max_by(live_bytes, frame) AS live, count(*) AS frames
                                    FROM frames
                                )
                                SELECT s.alloc_calls - allocs, s.free_calls - frees, s.alloc_bytes - made,
                                       s.free_bytes - freed, s.end_live_bytes - live, s.frames - sums.frames
                                FROM sessions s, sums
                                """))
                .hasToString("[[0, 0, 0, 0, 0, 0]]");
    }

    @Test
    void theSessionIsWholeAndClosed() throws Exception {
        assertThat(
                        query(
                                "SELECT title, role, state, exit_code, dropped_events, gaps, unknown_frees, adjusted_live_bytes FROM sessions"))
                .hasToString("[[known, client, closed, 21, 0, 0, 0, 0]]");
    }

    @Test
    void namedValuesAreInOrder() throws Exception {
        assertThat(query("SELECT name, value FROM \"values\" ORDER BY at_ns LIMIT 2"))
                .hasToString("[[number, 0.0], [number, 1.0]]");
    }
}
