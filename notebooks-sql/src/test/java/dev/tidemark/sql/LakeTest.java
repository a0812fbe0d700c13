package dev.tidemark.sql;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.schemas.lake.LakeColumn;
import dev.tidemark.schemas.lake.LakeTable;
import dev.tidemark.schemas.lake.LakeTables;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LakeTest {
    private static final String ONE_SESSION =
            """
            session_id,title,arm,started_at,state,is_whole_load,loaded_at,load_id,revision,day,load
            ../../x,"it's ""quoted"" -- ; DROP VIEW ticks",glibc,2026-03-01 10:00:00+00,closed,true,2026-03-01 11:00:00+00,a-1,0,2026-03-01,a-1
            """;

    @TempDir private Path temp;

    @Test
    void anEmptyLakeAnswersWithNothing() throws Exception {
        Lake lake = Lake.create(temp.resolve("lake"));

        try (Connection connection = lake.connect()) {
            for (LakeTable table : LakeTables.ALL) {
                assertThat(Rows.of(connection, "FROM " + table.name())).as(table.name()).isEmpty();
            }
            assertThat(Rows.of(connection, "FROM worst_ticks('latest', 10)")).isEmpty();
            assertThat(Rows.of(connection, "FROM spikes(1)")).isEmpty();
        }
    }

    @Test
    void viewsHaveTheColumnsOfTheDefinitionInItsOrder() throws Exception {
        try (Connection connection = Lake.create(temp.resolve("lake")).connect()) {
            for (LakeTable table : LakeTables.ALL) {
                assertThat(
                                Rows.of(
                                        connection,
                                        "SELECT column_name, column_type FROM (DESCRIBE \"%s\")"
                                                .formatted(table.name())))
                        .as(table.name())
                        .containsExactlyElementsOf(
                                table.columns().stream()
                                        .map(column -> column.name() + "|" + sqlName(column))
                                        .toList());
            }
        }
    }

    private static String sqlName(LakeColumn column) {
        return column.type().sqlName();
    }

    @Test
    void everyViewColumnAndMacroHasAComment() throws Exception {
        try (Connection connection = Lake.create(temp.resolve("lake")).connect()) {
            assertThat(
                            Rows.of(
                                    connection,
                                    """
                                    SELECT view_name FROM duckdb_views()
                                    WHERE NOT internal AND coalesce("comment", '') = ''
                                    UNION ALL
                                    SELECT table_name || '.' || column_name FROM duckdb_columns()
                                    WHERE NOT internal AND coalesce("comment", '') = ''
                                    UNION ALL
                                    SELECT function_name FROM duckdb_functions()
                                    WHERE NOT internal AND coalesce("comment", '') = ''
                                    """))
                    .isEmpty();
            assertThat(
                            Rows.of(
                                    connection,
                                    """
                                    SELECT "comment" FROM duckdb_columns()
                                    WHERE schema_name = 'main' AND table_name = 'values' AND column_name = 'value'
                                    """))
                    .containsExactly("The number.");
        }
    }

    @Test
    void worksWhenAttachedUnderAnotherName() throws Exception {
        Lake lake = Lake.create(temp.resolve("lake"));
        write(lake, "sessions", ONE_SESSION);
        write(lake, "ticks", ticks(3));

        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:")) {
            try (Statement statement = connection.createStatement()) {
                statement.execute("ATTACH '" + lake.database() + "' AS other (READ_ONLY)");
            }
            assertThat(Rows.of(connection, "SELECT count(*) FROM other.ticks"))
                    .containsExactly("3");
            assertThat(Rows.of(connection, "SELECT tick FROM other.worst_ticks('latest', 1)"))
                    .containsExactly("2");
            assertThat(Rows.of(connection, "SELECT tick FROM other.ticks_of('glibc')")).hasSize(3);
            assertThat(Rows.of(connection, "SELECT tick FROM other.ticks_of(arm := 'none')"))
                    .isEmpty();
            assertThat(Rows.of(connection, "FROM other.frames_of('glibc')")).isEmpty();
            assertThat(Rows.of(connection, "FROM other.worst_frames('latest', 1)")).isEmpty();
            assertThat(Rows.of(connection, "SELECT number FROM other.spikes(2)"))
                    .containsExactly("2");
            assertThat(
                            Rows.of(
                                    connection,
                                    "SELECT other.histogram_quantile([{upper_ns: 7, calls: 1}], 0.5)"))
                    .containsExactly("7");
        }
    }

    @Test
    void takesHostileNamesAsTheyAre() throws Exception {
        Lake lake = Lake.create(temp.resolve("it's a [l]ake*; \"x\""));
        write(lake, "sessions", ONE_SESSION);
        write(lake, "ticks", ticks(1));

        try (Connection connection = lake.connect()) {
            assertThat(Rows.of(connection, "SELECT session_id, title FROM ticks"))
                    .containsExactly("../../x|it's \"quoted\" -- ; DROP VIEW ticks");
            assertThat(Rows.of(connection, "SELECT tick FROM worst_ticks('../../x', 5)"))
                    .containsExactly("0");
            assertThat(Rows.of(connection, "FROM worst_ticks('nobody'' OR 1=1', 5)")).isEmpty();
        }
    }

    @Test
    void refusesAPathThatCanNotBeRead() {
        assertThatThrownBy(() -> Lake.create(temp.resolve("arm=x/lake")))
                .isInstanceOf(LakeException.class)
                .hasMessageContaining("the folder arm=x reads as a column's value");
        assertThat(temp.resolve("arm=x")).doesNotExist();
        assertThatThrownBy(() -> Lake.create(temp.resolve("a?b/lake")))
                .isInstanceOf(LakeException.class)
                .hasMessageContaining("with ? in its name");
    }

    @Test
    void aFolderWithoutALakeIsAClearError() throws Exception {
        assertThatThrownBy(() -> Lake.open(temp))
                .isInstanceOf(LakeException.class)
                .hasMessageStartingWith(temp + ": holds no lake");
        assertThatThrownBy(() -> Lake.open(temp.resolve("nowhere")))
                .isInstanceOf(LakeException.class)
                .hasMessageStartingWith(temp.resolve("nowhere") + ": no such folder");
        Path file = Files.writeString(temp.resolve("file"), "");
        assertThatThrownBy(() -> Lake.create(file)).hasMessageContaining("is a file");
        assertThat(temp.resolve(Lake.DATABASE)).doesNotExist();
    }

    @Test
    void publishesOnlyWhatChanged() throws Exception {
        Lake lake = Lake.create(temp.resolve("lake"));
        FileTime longAgo = FileTime.fromMillis(1_000_000_000_000L);
        Files.setLastModifiedTime(lake.database(), longAgo);

        assertThat(Lake.open(lake.folder()).publish()).isFalse();
        assertThat(Files.getLastModifiedTime(lake.database())).isEqualTo(longAgo);

        Path moved = temp.resolve("moved");
        Files.move(lake.folder(), moved);
        Lake there = Lake.open(moved);
        assertThat(Files.getLastModifiedTime(there.database())).isGreaterThan(longAgo);
        try (Connection connection = there.connect()) {
            assertThat(Rows.of(connection, "FROM sessions")).isEmpty();
        }

        Files.writeString(there.database(), "not a database");
        try (Connection connection = Lake.open(moved).connect()) {
            assertThat(Rows.of(connection, "FROM sessions")).isEmpty();
        }
        try (Stream<Path> files = Files.list(moved)) {
            assertThat(files.filter(Files::isRegularFile)).containsExactly(there.database());
        }
    }

    @Test
    void readsAFolderThatWasNeverPublished() throws Exception {
        Files.createDirectories(temp.resolve("lake/sessions"));

        try (Connection connection = Lake.open(temp.resolve("lake")).connect()) {
            assertThat(Rows.of(connection, "FROM sessions")).isEmpty();
        }
    }

    @Test
    void readersNeitherWriteNorKeepOthersOut() throws Exception {
        Lake lake = Lake.create(temp.resolve("lake"));

        try (Connection one = lake.connect();
                Connection two = lake.connect();
                Statement statement = two.createStatement()) {
            assertThat(Rows.of(one, "FROM sessions")).isEmpty();
            assertThatThrownBy(() -> statement.execute("DROP VIEW sessions"))
                    .hasMessageContaining("read-only");
            assertThat(Rows.of(two, "SELECT current_setting('TimeZone')")).containsExactly("UTC");
        }
    }

    @Test
    void filesInProgressAreNotSeen() throws Exception {
        Lake lake = Lake.create(temp.resolve("lake"));
        write(lake, "sessions", ONE_SESSION);
        Path folder = lake.folder().resolve("sessions/day=2026-03-01/load=a-1");
        for (String name :
                List.of("._part.parquet", "_part.parquet", ".part.parquet", "part.inprogress")) {
            Files.writeString(folder.resolve(name), "half");
        }

        try (Connection connection = lake.connect()) {
            assertThat(Rows.of(connection, "SELECT session_id FROM sessions"))
                    .containsExactly("../../x");
        }
    }

    @Test
    void aBrokenFileIsNamed() throws Exception {
        Lake lake = Lake.create(temp.resolve("lake"));
        write(lake, "ticks", ticks(3));
        Path whole = lake.folder().resolve("ticks/day=2026-03-01/load=a-1/part-ticks-csv.parquet");
        byte[] bytes = Files.readAllBytes(whole);
        Path broken = whole.resolveSibling("part-broken.parquet");
        for (byte[] cut :
                List.of(
                        new byte[0],
                        Arrays.copyOf(bytes, bytes.length - 1),
                        "PAR1 nothing PAR1".getBytes(UTF_8))) {
            Files.write(broken, cut);
            try (Connection connection = lake.connect()) {
                assertThatThrownBy(() -> Rows.of(connection, "FROM ticks"))
                        .hasMessageContaining(broken.toString());
                assertThat(Rows.of(connection, "FROM sessions")).isEmpty();
            }
        }
        Files.delete(lake.database());
        assertThatThrownBy(() -> Lake.open(lake.folder()))
                .isInstanceOf(LakeException.class)
                .hasMessageContaining(broken.toString())
                .hasMessageContaining("move it out")
                .hasMessageNotContaining("\n");
    }

    /** Ticks that waited 1, 2, 3 ... milliseconds on the allocator. */
    private static String ticks(int n) {
        StringBuilder csv =
                new StringBuilder(
                        "session_id,tick,start_ns,is_complete,marking_thread_allocator_ns,allocator_ns,day,load\n");
        for (int i = 0; i < n; i++) {
            csv.append(
                    "../../x,%d,0,true,%d000000,%d000000,2026-03-01,a-1\n"
                            .formatted(i, i + 1, i + 1));
        }
        return csv.toString();
    }

    private void write(Lake lake, String table, String csv) throws Exception {
        Path folder = Files.createDirectories(temp.resolve("given-" + table));
        Files.writeString(folder.resolve("given_" + table + ".csv"), csv);
        GivenFiles.write(folder, lake.folder());
    }
}
