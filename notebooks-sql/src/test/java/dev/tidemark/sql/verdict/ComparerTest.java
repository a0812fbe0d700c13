package dev.tidemark.sql.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tidemark.sql.Lake;
import dev.tidemark.sql.LakeException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ComparerTest {
    @TempDir private Path temp;

    private static ComparisonRequest request(String baseline, String... candidates)
            throws LakeException {
        List<ArmSelector> selectors = new ArrayList<>();
        for (String candidate : candidates) {
            selectors.add(ArmSelector.parse(candidate));
        }
        return new ComparisonRequest(
                ArmSelector.parse(baseline),
                selectors,
                Optional.empty(),
                "TRUE",
                MetricCatalogue.named("allocator_ms,peak_rss_mib"),
                List.of(),
                ComparisonRequest.Method.T,
                ComparisonRequest.USUAL_MIN_EFFECT);
    }

    private Comparison compare(BenchLake sessions, ComparisonRequest request) throws Exception {
        try (Connection connection = sessions.write(temp).connect()) {
            return Comparer.compare(connection, request);
        }
    }

    @Test
    void findsWhatStandsInBothRuns() throws Exception {
        Comparison comparison = compare(new BenchLake(), request("glibc", "mimalloc", "jemalloc"));

        assertThat(comparison.runs()).containsExactly(entry("r1", 5), entry("r2", 5));
        assertThat(comparison.sessionsUsed()).isEqualTo(40);
        assertThat(comparison.leftOut()).isEmpty();
        assertThat(comparison.rows())
                .extracting(
                        row -> row.metric().name() + " " + row.candidate() + " " + row.verdict())
                .containsExactly(
                        "allocator_ms mimalloc BETTER",
                        "allocator_ms jemalloc SAME",
                        "peak_rss_mib mimalloc WORSE",
                        "peak_rss_mib jemalloc SAME");
        ComparisonRow time = comparison.rows().get(0);
        assertThat(time.isFinding()).isTrue();
        assertThat(time.finding().orElseThrow().effect().ratio()).isCloseTo(0.6, within(0.01));
        assertThat(time.runs()).extracting(run -> run.runId()).containsExactly("r1", "r2");
        assertThat(comparison.rows().get(3).isFinding()).isFalse();
        assertThat(Sentence.of(comparison, "mimalloc"))
                .matches(
                        "mimalloc: 40% less allocator time, 100 MiB more at peak, in both runs; your noise hides anything under [0-9.]+%");
        assertThat(Sentence.of(comparison, "jemalloc"))
                .startsWith("jemalloc: nothing better or worse (2 of 2 the same), in both runs");
    }

    private static java.util.Map.Entry<String, Integer> entry(String run, int rounds) {
        return java.util.Map.entry(run, rounds);
    }

    @Test
    void takesEveryOtherArmWithoutACandidate() throws Exception {
        BenchLake lake = new BenchLake();
        for (String run : List.of("r1", "r2")) {
            for (int round = 0; round < 5; round++) {
                lake.add(run, round, "floor").put("allocator_ns", "1000000");
            }
        }

        Comparison comparison = compare(lake, request("glibc"));

        assertThat(comparison.candidates()).containsExactly("jemalloc", "mimalloc");
        assertThat(comparison.rows().get(0).floor()).hasValue(1);
        assertThat(comparison.leftOut()).isEmpty();
    }

    @Test
    void leavesOutByNameAndReason() throws Exception {
        String[][] cases = {
            {"dropped_events", "7", "7 events dropped"},
            {"gaps", "1", "1 gaps in the stream"},
            {"clock", "live", "clock live, the comparison has replay"},
            {"cpu_model", "Xeon", "cpu model Xeon, the comparison has EPYC"},
            {"kernel", "6.19", "kernel 6.19, the comparison has 6.18"},
            {"huge_pages", "always", "huge pages always, the comparison has madvise"},
            {"round_kind", "profiled", "round kind profiled, the comparison has plain"},
            {"touch", "none", "touch none, the comparison has all"},
            {"pacing", "none", "pacing none, the comparison has recorded"},
            {"detail", "events", "detail events, the comparison has counters"},
            {"size_basis", "usable", "size basis usable, the comparison has requested"},
            {
                "source_session_id",
                "recorded-2",
                "source session id recorded-2, the comparison has recorded-1"
            },
            {
                "frame_definition",
                "fixed:16.667",
                "frame definition fixed:16.667, the comparison has none"
            },
            {"late_ratio", "0.2", "20% late"},
            {"labels", "{void=another arm was late}", "void: another arm was late"},
            {"labels", "{refused=overlap at block 7}", "refused: overlap at block 7"},
            {"state", "lost", "lost without an end"}
        };
        BenchLake lake = new BenchLake();
        for (int i = 0; i < cases.length; i++) {
            for (String arm : BenchLake.ARMS) {
                lake.add("r1", 5 + i, arm);
            }
            lake.set("r1-%d-mimalloc".formatted(5 + i), cases[i][0], cases[i][1]);
        }

        Comparison comparison = compare(lake, request("glibc", "mimalloc", "jemalloc"));

        for (int i = 0; i < cases.length; i++) {
            assertThat(comparison.leftOut())
                    .containsEntry("r1-%d-mimalloc".formatted(5 + i), cases[i][2])
                    .containsEntry(
                            "r1-%d-glibc".formatted(5 + i),
                            "round %d is not complete".formatted(5 + i));
        }
        assertThat(comparison.leftOut()).hasSize(4 * cases.length);
        assertThat(comparison.runs()).containsEntry("r1", 5);
        assertThat(comparison.rows().get(0).verdict()).isEqualTo(Verdict.BETTER);
    }

    @Test
    void aCandidateThatCanNotKeepPaceTakesNoRoundFromTheOthers() throws Exception {
        BenchLake lake =
                new BenchLake()
                        .change(
                                id -> id.endsWith("jemalloc"),
                                session ->
                                        session.put(
                                                "labels", "{cannot_keep_pace=voided two rounds}"));

        Comparison comparison = compare(lake, request("glibc", "mimalloc", "jemalloc"));

        assertThat(comparison.runs()).containsEntry("r1", 5);
        assertThat(comparison.leftOut())
                .hasSize(10)
                .containsEntry("r1-0-jemalloc", "cannot keep pace: voided two rounds");
        assertThat(comparison.rows()).extracting(ComparisonRow::candidate).containsOnly("mimalloc");
        assertThat(Sentence.of(comparison, "jemalloc"))
                .isEqualTo("jemalloc: nothing to compare, see what was left out");
    }

    @Test
    void aRoundMadeAgainCountsOnce() throws Exception {
        BenchLake lake = new BenchLake();
        var again = lake.add("r1", 0, "mimalloc");
        again.put("started_at", "2026-03-01 11:00:00+00");
        again.put("session_id", "again");

        Comparison comparison = compare(lake, request("glibc", "mimalloc"));

        assertThat(comparison.leftOut())
                .containsExactly(java.util.Map.entry("r1-0-mimalloc", "round 0 was made again"));
    }

    @Test
    void aNullArmThatMovedTakesVerdictsAway() throws Exception {
        BenchLake lake =
                new BenchLake()
                        .change(
                                id -> id.endsWith("glibc-null"),
                                session ->
                                        session.put(
                                                "allocator_ns",
                                                String.valueOf(
                                                        Long.parseLong(
                                                                        session.getOrDefault(
                                                                                "allocator_ns",
                                                                                "0"))
                                                                * 11
                                                                / 10)));

        Comparison comparison = compare(lake, request("glibc", "mimalloc"));

        assertThat(comparison.rows().get(0).verdict()).isEqualTo(Verdict.NO_VERDICT);
        assertThat(comparison.rows().get(0).reason()).startsWith("the null arm moved by +");
        assertThat(comparison.rows().get(1).verdict()).isEqualTo(Verdict.WORSE);
    }

    @Test
    void oneRunIsProvisionalAndOnlyTheNewestTwoCount() throws Exception {
        Comparison comparison =
                compare(
                        new BenchLake().remove(id -> id.startsWith("r1")),
                        request("glibc", "mimalloc"));
        assertThat(comparison.isConfirmed()).isFalse();
        assertThat(comparison.rows().get(0).verdict()).isEqualTo(Verdict.BETTER);
        assertThat(comparison.rows().get(0).isFinding()).isFalse();
        assertThat(Sentence.of(comparison, "mimalloc")).contains("in one run, provisional");
    }

    @Test
    void olderRunsAreLeftOut() throws Exception {
        BenchLake lake = new BenchLake();
        for (int round = 0; round < 5; round++) {
            for (String arm : BenchLake.ARMS) {
                lake.add("r3", round, arm);
            }
        }

        Comparison comparison = compare(lake, request("glibc", "mimalloc"));

        assertThat(comparison.runs().keySet()).containsExactly("r2", "r3");
        assertThat(comparison.leftOut())
                .containsEntry("r1-0-glibc", "an older run than the newest two")
                .hasSize(15);
    }

    @Test
    void whatCanNotBeComparedIsOneLine() throws Exception {
        try (Connection connection = new BenchLake().write(temp).connect()) {
            assertThatThrownBy(() -> Comparer.compare(connection, request("glibc", "mimallok")))
                    .isInstanceOf(LakeException.class)
                    .hasMessage(
                            "no session of 'mimallok' among the 40 asked for; their arms are glibc, glibc-null, jemalloc, mimalloc");
            assertThatThrownBy(() -> Comparer.compare(connection, request("mimalloc", "jemalloc")))
                    .hasMessageStartingWith(
                            "no null arm: no session is labelled null_of=mimalloc;");
            assertThatThrownBy(() -> Comparer.compare(connection, request("glibc", "glibc")))
                    .hasMessageContaining("are the same sessions");
            assertThatThrownBy(
                            () ->
                                    Comparer.compare(
                                            connection, where(request("glibc"), "round = 0")))
                    .hasMessage(
                            "no run has 5 rounds that are complete with 'glibc', its null arm and a candidate; left out most often: run r2: mimalloc has 1 of the 5 rounds that it takes");
            assertThatThrownBy(
                            () ->
                                    Comparer.compare(
                                            connection, where(request("glibc"), "titel = 'x'")))
                    .hasMessageStartingWith("--where titel = 'x': ");
            assertThatThrownBy(() -> Comparer.compare(connection, where(request("glibc"), "FALSE")))
                    .hasMessage("no session to compare: none fits --where FALSE");
        }
    }

    private static ComparisonRequest where(ComparisonRequest request, String where) {
        return new ComparisonRequest(
                request.baseline(),
                request.candidates(),
                request.nullArm(),
                where,
                request.metrics(),
                request.phases(),
                request.method(),
                request.minEffect());
    }

    @Test
    void comparesBuildsAndFindsThePreviousOne() throws Exception {
        BenchLake lake = new BenchLake().remove(id -> id.endsWith("jemalloc"));
        lake.change(id -> true, session -> session.put("build", "1.4"));
        lake.change(
                id -> id.endsWith("mimalloc"),
                session -> {
                    session.put("build", "1.5");
                    session.put("arm", "glibc");
                    session.put("source_session_id", "recorded-of-1.5");
                    session.put("started_at", "2026-03-03 10:00:00+00");
                });

        try (Connection connection = lake.write(temp).connect()) {
            for (ComparisonRequest request :
                    List.of(
                            request("build=1.4,arm=glibc", "build=1.5,arm=glibc"),
                            request("previous", "build=1.5,arm=glibc"),
                            request("previous"))) {
                Comparison comparison = Comparer.compare(connection, request);
                assertThat(comparison.baseline()).contains("build=1.4");
                assertThat(comparison.candidates().get(0)).contains("build=1.5");
                assertThat(comparison.rows().get(0).verdict()).isEqualTo(Verdict.BETTER);
            }
            assertThatThrownBy(() -> Comparer.compare(connection, request("previous", "build=1.4")))
                    .hasMessage(
                            "--baseline previous: no build before '1.4'; the lake has 1.4, 1.5");
        }
    }

    @Test
    void comparesAFleetByItsHosts() throws Exception {
        BenchLake lake = new BenchLake().remove(id -> true);
        for (String arm : List.of("glibc", "mimalloc")) {
            IntStream.range(0, 12)
                    .forEach(
                            i -> {
                                var session = lake.add("r1", i, arm);
                                session.put("run_id", "");
                                session.put("round", "");
                                session.put("clock", "live");
                                session.put("kind", "live");
                                session.put("round_kind", "");
                                session.put("source_session_id", "");
                                session.put("host", "host-" + i % 6);
                            });
        }

        Comparison comparison = compare(lake, request("glibc", "mimalloc"));

        assertThat(comparison.isFleet()).isTrue();
        assertThat(comparison.rows().get(0).verdict()).isEqualTo(Verdict.BETTER);
        assertThat(comparison.rows().get(0).isFinding()).isFalse();
        assertThat(Sentence.of(comparison, "mimalloc"))
                .contains("over 6 hosts an arm, provisional");
    }

    @Test
    void writesWhatItFoundIntoTheLake() throws Exception {
        BenchLake sessions = new BenchLake();
        for (String arm : BenchLake.ARMS) {
            sessions.add("r1", 5, arm);
        }
        sessions.set("r1-5-mimalloc", "cpu_model", "it's a \"Xeon\"");
        Lake lake = sessions.write(temp);
        Comparison comparison;
        try (Connection connection = lake.connect()) {
            comparison = Comparer.compare(connection, request("glibc", "mimalloc"));
            ComparisonTables.write(lake, connection, comparison);
        }

        try (Connection connection = lake.connect();
                Statement statement = connection.createStatement()) {
            assertThat(
                            one(
                                    statement,
                                    "SELECT string_agg(concat_ws(' ', metric, run_id, verdict, is_finding), '; ' ORDER BY metric, run_id NULLS LAST) FROM verdicts"))
                    .isEqualTo(
                            "allocator_ms r1 better false; allocator_ms r2 better false; allocator_ms better true; "
                                    + "peak_rss_mib r1 worse false; peak_rss_mib r2 worse false; peak_rss_mib worse true");
            assertThat(
                            one(
                                    statement,
                                    "SELECT concat_ws(' ', baseline, candidates['mimalloc'], method, runs['r1'], sessions_used, sessions_left_out['r1-5-mimalloc'], cardinality(sessions_left_out)) FROM comparisons"))
                    .isEqualTo(
                            "glibc 1 better, 1 worse, 0 same, 0 no verdict t 5 rounds 30 cpu model it's a \"Xeon\", the comparison has EPYC 3");
            assertThat(
                            one(
                                    statement,
                                    "SELECT count(*) FROM verdicts WHERE ratio BETWEEN ratio_low AND ratio_high AND rounds >= 5 AND p_value < 0.05 AND phase IS NULL AND round_kind = 'plain'"))
                    .isEqualTo("6");
        }
        assertThat(
                        lake.folder()
                                .resolve(
                                        "verdicts/day="
                                                + comparison.madeAt().toString().substring(0, 10)
                                                + "/load="
                                                + comparison.id()))
                .isDirectoryContaining("glob:**/verdicts.parquet");
    }

    @Test
    void aComparisonIsThereWholeOrNotAtAll() throws Exception {
        Lake lake = new BenchLake().write(temp);
        try (Connection connection = lake.connect()) {
            Comparison comparison = Comparer.compare(connection, request("glibc", "mimalloc"));
            ComparisonTables.write(lake, connection, comparison);
            java.nio.file.Files.delete(
                    lake.folder()
                            .resolve("comparisons")
                            .resolve("day=" + comparison.madeAt().toString().substring(0, 10))
                            .resolve("load=" + comparison.id())
                            .resolve("comparisons.parquet"));
        }
        try (Connection connection = lake.connect();
                Statement statement = connection.createStatement()) {
            assertThat(one(statement, "SELECT count(*) FROM verdicts")).isEqualTo("0");
        }
    }

    private static String one(Statement statement, String query) throws Exception {
        try (ResultSet rows = statement.executeQuery(query)) {
            assertThat(rows.next()).isTrue();
            return rows.getString(1);
        }
    }
}
