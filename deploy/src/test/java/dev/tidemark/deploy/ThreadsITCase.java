package dev.tidemark.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Programs of many threads, recorded under each allocator and loaded into one lake: what stands
 * there against what the programs counted themselves.
 */
@Timeout(600)
class ThreadsITCase {
    private static final int SHORT_THREADS = 40_000;
    private static final int FIRST_SIZE = 100_000;
    private static final List<String> ALLOCATORS =
            List.of("glibc", "jemalloc", "mimalloc", "tcmalloc");

    @TempDir private static Path folder;

    private static final StringWriter said = new StringWriter();

    @BeforeAll
    static void recordEverything() throws Exception {
        List<String> ingest =
                new ArrayList<>(List.of("ingest", "--lake", folder.resolve("lake").toString()));
        ingest.add(record("short", "glibc", CFixture.make("short_threads").toString()));
        for (String language : List.of("churn_c", "churn_cc")) {
            String program = CFixture.make(language).toString();
            for (String allocator : ALLOCATORS) {
                if (isHere(allocator)) {
                    ingest.add(churn(language, allocator, program, "3000"));
                    ingest.add(churn(language + "_still", allocator, program, "0"));
                }
            }
        }
        assertThat(run(ingest)).as(said.toString()).isZero();
    }

    private static boolean isHere(String allocator) {
        return allocator.equals("glibc") || Executables.allocator(allocator).isPresent();
    }

    private static String churn(String title, String allocator, String program, String rounds) {
        return record(title, allocator, program, own(title, allocator).toString(), "8", rounds);
    }

    /** Where the program writes what it counted itself. */
    private static Path own(String title, String allocator) {
        return folder.resolve(title + "-" + allocator);
    }

    /**
     * Records a program; its recording. Threads' stacks are kept, so that their blocks are, too.
     */
    private static String record(String title, String allocator, String... command) {
        String recording = folder.resolve(title + "-" + allocator + ".trace.avro").toString();
        List<String> arguments =
                new ArrayList<>(List.of("record", "--out", recording, "--title", title));
        arguments.addAll(List.of("--wait-max", "60", "--arm"));
        arguments.add(
                allocator
                        + "="
                        + allocator
                        + ",GLIBC_TUNABLES=glibc.pthread.stack_cache_size=1000000000");
        arguments.add("--");
        arguments.addAll(List.of(command));
        assertThat(run(arguments)).as(said.toString()).isZero();
        return recording;
    }

    private static int run(List<String> arguments) {
        return Tidemark.run(
                arguments.toArray(String[]::new),
                Map.of(),
                new PrintWriter(new StringWriter()),
                new PrintWriter(said, true));
    }

    private static List<Object> row(String sql) throws SQLException {
        Properties readOnly = new Properties();
        readOnly.setProperty("duckdb.read_only", "true");
        try (Connection connection =
                        DriverManager.getConnection(
                                "jdbc:duckdb:" + folder.resolve("lake/tidemark.duckdb"), readOnly);
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            assertThat(result.next()).as(sql).isTrue();
            List<Object> row = new ArrayList<>();
            for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
                row.add(result.getObject(i));
            }
            assertThat(result.next()).as("a second row").isFalse();
            return row;
        }
    }

    private static Map<String, Long> numbers(Path file) throws Exception {
        return Arrays.stream(Files.readString(file).strip().split(" ", -1))
                .map(word -> word.split("=", -1))
                .collect(Collectors.toMap(word -> word[0], word -> Long.valueOf(word[1])));
    }

    @Test
    void shortThreadsStayApart() throws Exception {
        // The first is main's; the one numbered i makes and frees one block of 100,000 + i bytes.
        assertThat(
                        row(
                                """
                                SELECT count(*), count(DISTINCT thread), min(thread), max(thread),
                                    count(*) FILTER (alloc_calls = 1 AND free_calls = 1 AND cross_thread_frees = 0
                                        AND alloc_bytes BETWEEN %d AND %d),
                                    count(DISTINCT alloc_bytes) FILTER (thread > 0)
                                FROM threads WHERE title = 'short'
                                """
                                        .formatted(FIRST_SIZE, FIRST_SIZE + SHORT_THREADS - 1)))
                .hasToString(
                        "[%d, %1$d, 0, %d, %2$d, %2$d]"
                                .formatted(SHORT_THREADS + 1, SHORT_THREADS));
        assertThat(
                        row(
                                "SELECT threads, unknown_frees, missed_frees, dropped_events, gaps FROM sessions WHERE title = 'short'"))
                .hasToString("[%d, 0, 0, 0, 0]".formatted(SHORT_THREADS + 1));
    }

    @ParameterizedTest
    @CsvSource({
        "glibc,churn_c",
        "glibc,churn_cc",
        "jemalloc,churn_c",
        "jemalloc,churn_cc",
        "mimalloc,churn_c",
        "mimalloc,churn_cc",
        "tcmalloc,churn_c",
        "tcmalloc,churn_cc"
    })
    void eightThreadsThatHandBlocksOnAreExact(String allocator, String title) throws Exception {
        assumeTrue(isHere(allocator), allocator + " is not installed: nothing was tested with it");
        Map<String, Long> did = numbers(own(title, allocator));

        assertThat(
                        row(
                                """
                                SELECT alloc_calls, alloc_bytes, free_calls, realloc_calls, alloc_bytes - free_bytes
                                FROM phases WHERE title = '%s' AND arm = '%s' AND phase = 'begin'
                                """
                                        .formatted(title, allocator)))
                .isEqualTo(
                        List.of(
                                did.get("allocs"),
                                did.get("alloc_bytes"),
                                did.get("frees"),
                                did.get("reallocs"),
                                did.get("live_bytes")));
        // The same program that does not churn keeps the same blocks, and what the libraries keep.
        assertThat(
                        row(
                                """
                                SELECT s.allocator, s.unknown_frees, s.missed_frees, s.dropped_events, s.gaps,
                                    s.end_live_bytes - still.end_live_bytes, s.end_live_blocks - still.end_live_blocks,
                                    s.end_live_bytes >= %d
                                FROM sessions s JOIN sessions still ON still.arm = s.arm AND still.title = s.title || '_still'
                                WHERE s.title = '%s' AND s.arm = '%s'
                                """
                                        .formatted(did.get("live_bytes"), title, allocator)))
                .hasToString("[%s, 0, 0, 0, 0, 0, 0, true]".formatted(allocator));
    }
}
