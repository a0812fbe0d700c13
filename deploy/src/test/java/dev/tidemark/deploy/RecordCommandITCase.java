package dev.tidemark.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tidemark.schemas.RecordingReader;
import dev.tidemark.schemas.SchemaCatalog;
import dev.tidemark.schemas.TraceDecoder;
import dev.tidemark.schemas.avro.SessionStart;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What {@code record} says and how it ends, with real programs under the real recorder. */
@Timeout(180)
class RecordCommandITCase {
    @TempDir private static Path programs;
    @TempDir private Path folder;

    private static String ends = "";

    private final StringWriter err = new StringWriter();

    @BeforeAll
    static void compile() throws Exception {
        ends = CFixture.compile(programs, "ends").toString();
    }

    private int record(String... arguments) {
        return record(Map.of(), arguments);
    }

    private int record(Map<String, String> environment, String... arguments) {
        List<String> all = new ArrayList<>(List.of("record"));
        all.addAll(List.of(arguments));
        PrintWriter nowhere = new PrintWriter(new StringWriter());
        return Tidemark.run(
                all.toArray(String[]::new), environment, nowhere, new PrintWriter(err, true));
    }

    private String recording() {
        return folder.resolve("a.trace.avro").toString();
    }

    private List<String> lines(String containing) {
        return err.toString().lines().filter(line -> line.contains(containing)).toList();
    }

    @Test
    void anExitThatLooksLikeASignalIsAnExit() {
        assertThat(record("--out", recording(), "--", ends, "exit", "137")).isEqualTo(137);
        assertThat(lines("ended")).containsExactly("  ended        with exit code 137");
    }

    @Test
    void soIsOneWithoutExitHandlers() {
        assertThat(record("--out", recording(), "--", ends, "leave", "137")).isEqualTo(137);
        assertThat(lines("ended")).containsExactly("  ended        with exit code 137");
    }

    @Test
    void aKillIsASignal() {
        assertThat(record("--out", recording(), "--", ends, "kill", "9")).isEqualTo(137);
        assertThat(lines("ended")).containsExactly("  ended        by signal 9");
    }

    @Test
    void imagesThatExecReplacedAreOneLineEach() {
        int code =
                record("--out", recording(), "--", ends, "exec", ends, "exec", ends, "exit", "5");

        assertThat(code).isEqualTo(5);
        assertThat(lines("replaced"))
                .hasSize(2)
                .allSatisfy(line -> assertThat(line).contains("replaced     " + ends + " by exec"));
        assertThat(lines("ended")).containsExactly("  ended        with exit code 5");
        assertThat(lines("unseen")).isEmpty();
    }

    @Test
    void leavesARecordingAloneWhenNothingRuns() throws Exception {
        byte[] before = "not even a recording".getBytes(StandardCharsets.UTF_8);
        Path file = Files.write(Path.of(recording()), before);

        assertThat(record("--out", recording(), "--", "/no/such/program")).isEqualTo(127);
        assertThat(record("--out", recording(), "--", recording())).isEqualTo(126);
        assertThat(record("--out", recording(), "--ring-dir", "/no/such", "--", ends, "exit", "0"))
                .isEqualTo(125);
        assertThat(record("--out", recording(), "--frames", "sometimes", "--", ends, "exit", "0"))
                .isEqualTo(2);

        assertThat(file).hasBinaryContent(before);
        assertThat(folder).isDirectoryNotContaining(path -> !path.equals(file));
    }

    @Test
    void putsRingsWhereTheyAreWanted() throws Exception {
        Path rings = Files.createDirectory(folder.resolve("rings"));
        String[] shows = {
            "sh", "-c", "echo $TIDEMARK_RING_DIR > \"$0\"", folder.resolve("seen").toString()
        };
        List<String> arguments = new ArrayList<>(List.of("--out", recording(), "--"));
        arguments.addAll(List.of(shows));

        int code =
                record(
                        Map.of("TIDEMARK_RING_DIR", rings.toString()),
                        arguments.toArray(String[]::new));

        assertThat(code).as(err.toString()).isZero();
        assertThat(Files.readString(folder.resolve("seen"))).startsWith(rings + "/tidemark-rings-");
        assertThat(lines("events")).isNotEmpty();
        assertThat(rings).isEmptyDirectory();
    }

    @Test
    void aFolderForRingsThatIsNotThereIsOneLine() {
        assertThat(record("--out", recording(), "--ring-dir", "/no/such", "--", ends, "exit", "0"))
                .isEqualTo(125);
        assertThat(err.toString())
                .isEqualTo("tidemark: --ring-dir /no/such: no such folder; make it first\n");
    }

    /** Runs a script of which $1 is a folder with a file system of its own, of so many bytes. */
    private String inSmallFileSystem(int bytes, String script) throws Exception {
        Path small = Files.createDirectory(folder.resolve("small"));
        String mount = "mount -t tmpfs -o size=" + bytes + " tmpfs \"$1\" || exit 77; ";
        Process process =
                new ProcessBuilder(
                                "unshare", "-m", "sh", "-c", mount + script, "sh", small.toString())
                        .redirectErrorStream(true)
                        .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int code = process.waitFor();
        assumeTrue(
                code != 77 && !output.contains("unshare:"), "a file system can't be mounted here");
        return output + "code " + code + "\n";
    }

    /** The command line that runs {@code record} in a JVM of its own. */
    private String recordCommand() {
        return "'%s/bin/java' --add-opens=java.base/java.util=ALL-UNNAMED -Dtidemark.home='%s' -Dorg.apache.avro.SERIALIZABLE_PACKAGES=dev.tidemark.schemas.avro -cp '%s' dev.tidemark.deploy.Tidemark record --out '%s'"
                .formatted(
                        System.getProperty("java.home"),
                        Installation.root(),
                        System.getProperty("java.class.path"),
                        recording());
    }

    @Test
    void saysBeforeTheStartThatNoRingFits() throws Exception {
        String output =
                inSmallFileSystem(
                        65_536, recordCommand() + " --ring-dir \"$1\" -- '" + ends + "' exit 0");

        assertThat(output.lines())
                .containsExactly(
                        "tidemark: "
                                + folder.resolve("small")
                                + ": 65,536 bytes free, too few for rings, which take 32,768 and 1,052,672 for each thread: use --ring-dir DIR or a larger tmpfs there",
                        "code 125");
    }

    @Test
    void saysWhichThreadsHadNoRing() throws Exception {
        // Room for two of nine threads.
        String churn = CFixture.make("churn_c").toString();
        String output =
                inSmallFileSystem(
                        2_300_000,
                        "%s --ring-dir \"$1\" -- '%s' '%s' 8 100"
                                .formatted(recordCommand(), churn, folder.resolve("own")));

        assertThat(output).contains("\ncode 0\n");
        assertThat(output.lines().filter(line -> line.contains("without a ring")))
                .singleElement()
                .asString()
                .matches(
                        "tidemark: dropped [0-9,]+ events: 7 of 9 threads without a ring, because \\S+ has [0-9,]+ bytes free and a thread's ring takes 1,052,672; use --ring-dir DIR or a larger tmpfs there");
    }

    @Test
    void recordsWithoutASaltAndSaysSo() throws Exception {
        Path noFolder = Files.writeString(folder.resolve("file"), "");
        ProcessBuilder builder =
                new ProcessBuilder(
                        "sh", "-c", recordCommand() + " -- '" + ends + "' exit 0; echo code $?");
        builder.environment().put("HOME", noFolder.toString());
        builder.environment().remove("XDG_CONFIG_HOME");
        Process process = builder.redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();

        assertThat(output).endsWith("code 0\n").contains("with exit code 0");
        assertThat(output.lines().filter(line -> line.contains("salt")))
                .containsExactly(
                        "tidemark: no salt, so sessions don't say their host: "
                                + noFolder.resolve(".config/tidemark/salt")
                                + " can't be read or made (FileSystemException); set XDG_CONFIG_HOME to a folder of yours");
        assertThat(start(Path.of(recording())).getHost().getHost()).isNull();
    }

    private static SessionStart start(Path recording) throws IOException {
        SchemaCatalog schemas = new SchemaCatalog();
        TraceDecoder decoder = new TraceDecoder(schemas);
        try (RecordingReader reader = new RecordingReader(recording, schemas)) {
            return (SessionStart)
                    decoder.readPayload(
                            decoder.readEnvelope(Objects.requireNonNull(reader.next())));
        }
    }
}
