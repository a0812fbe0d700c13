package dev.tidemark.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.deploy.workload.Workload;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A bench of a real program, into a real lake, through a kill. */
@Timeout(300)
class BenchCommandITCase {
    @TempDir private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        return Tidemark.run(arguments, Map.of(), new PrintWriter(out), new PrintWriter(err, true));
    }

    private String[] bench(String program, String... more) {
        List<String> all = new ArrayList<>(List.of("bench", "--live"));
        all.addAll(List.of("--lake", folder.resolve("lake").toString()));
        all.addAll(List.of("--work", folder.resolve("work").toString()));
        all.addAll(List.of("--arm", "glibc", "--arm", "one-arena=glibc,MALLOC_ARENA_MAX=1"));
        all.addAll(List.of("--reps", "2", "--runs", "1"));
        all.addAll(List.of(more));
        all.addAll(List.of("--", program, "1", "300", "1", "2", "1"));
        return all.toArray(String[]::new);
    }

    /** The command line in a JVM of its own, which can be killed. */
    private Process start(String... arguments) throws Exception {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                System.getProperty("java.home") + "/bin/java",
                                "--add-opens=java.base/java.util=ALL-UNNAMED",
                                "-Dtidemark.home=" + Installation.root(),
                                "-Dorg.apache.avro.SERIALIZABLE_PACKAGES=dev.tidemark.schemas.avro",
                                "-cp",
                                System.getProperty("java.class.path"),
                                "dev.tidemark.deploy.Tidemark"));
        command.addAll(Arrays.asList(arguments));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("said").toFile())
                .start();
    }

    private String rows(String sql) {
        out.getBuffer().setLength(0);
        String lake = folder.resolve("lake").toString();
        assertThat(run("sql", "--lake", lake, "--format", "csv", sql)).as(err.toString()).isZero();
        return out.toString();
    }

    @Test
    void goesOnAfterAKillWithEverySessionOnce() throws Exception {
        String program = Workload.LEVEL_LOADS.compile(folder).toString();
        Process killed = start(bench(program));
        Path journal = folder.resolve("work/journal");
        // Settings, the discarded session, its load, two sessions of the first round.
        while (killed.isAlive()
                && (!Files.exists(journal) || Files.readAllLines(journal).size() < 5)) {
            Thread.sleep(20);
        }
        assertThat(killed.isAlive()).as(Files.readString(folder.resolve("said"))).isTrue();
        killed.destroyForcibly().waitFor();
        List<String> before =
                Files.readAllLines(journal).stream().filter(l -> l.contains("outcome")).toList();

        assertThat(run(bench(program, "--resume"))).as(err.toString()).isZero();

        List<String> after =
                Files.readAllLines(journal).stream().filter(l -> l.contains("outcome")).toList();
        assertThat(after).hasSize(1 + 2 * 3).startsWith(before.toArray(String[]::new));
        assertThat(
                        rows(
                                "SELECT arm, round, labels['null'] AS null_of, labels['discarded'] IS NOT NULL AS gone, count(*) AS n FROM sessions GROUP BY ALL ORDER BY ALL"))
                .isEqualTo(
                        """
                        arm,round,null_of,gone,n
                        glibc,0,,false,1
                        glibc,1,,false,1
                        glibc,,,true,1
                        glibc-null,0,glibc,false,1
                        glibc-null,1,glibc,false,1
                        one-arena,0,,false,1
                        one-arena,1,,false,1
                        """);
        assertThat(rows("SELECT count(DISTINCT run_id) AS n, min(frames) AS f FROM sessions"))
                .isEqualTo("n,f\n1,301\n");
    }

    @Test
    void badInputIsOneLineBeforeAnythingRuns() {
        String[][] wrong = {
            {"--no-null-arm"},
            {"--arm", "jemaloc"},
            {"--arm", "mine=/no/such/lib.so"},
            {"--arm", "glibc"},
            {"--arm", "floor"},
            {"--resume"},
        };
        String[] oneRound = {
            "bench",
            "--live",
            "--arm",
            "glibc",
            "--arm",
            "b=glibc",
            "--reps",
            "1",
            "--",
            "/bin/true"
        };
        assertThat(run(oneRound)).isEqualTo(2);
        for (String[] one : wrong) {
            assertThat(run(bench("/bin/true", one))).isIn(2, 3);
        }
        assertThat(run("bench", "--live", "--arm", "glibc", "--", "/bin/true")).isEqualTo(2);
        assertThat(run("bench", "--live", "--", "/no/such/program")).isEqualTo(127);
        assertThat(err.toString().lines())
                .containsExactly(
                        "tidemark: --reps 1: expected 2 to 1000 rounds, since one has no spread and fewer than 5 give no verdict",
                        "tidemark: --no-null-arm: without it nothing tells a difference from this machine's noise; leave it on",
                        "tidemark: arm 'jemaloc': no allocator of that name, did you mean jemalloc?; a label of your own is NAME=LIB",
                        "tidemark: arm 'mine': /no/such/lib.so: no such library",
                        "tidemark: arm 'glibc' comes twice; give one another label: NAME=LIB",
                        "tidemark: --arm floor: floor exists in a replay alone; ./tidemark bench RECORDING runs it",
                        "tidemark: "
                                + folder.resolve("work")
                                + ": nothing to resume: no bench was begun there",
                        "tidemark: one arm, glibc: nothing to compare; add --arm",
                        "tidemark: /no/such/program: no such program");
        assertThat(folder.resolve("lake")).doesNotExist();
    }

    @Test
    void aDryRunSaysWhatWouldRun() {
        assertThat(run(bench("/bin/true", "--dry-run", "--duration", "60"))).isZero();
        assertThat(out.toString().lines().map(String::strip))
                .startsWith(
                        "sessions        7: 1 runs of 2 rounds of 3 arms, and one discarded in each run",
                        "kinds           live",
                        "time            about 7 min, and some seconds to the lake after each round",
                        "baseline        glibc",
                        "null arm        glibc-null");
        assertThat(folder).isEmptyDirectory();
    }
}
