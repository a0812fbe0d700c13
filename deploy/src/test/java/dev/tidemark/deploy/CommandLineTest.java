package dev.tidemark.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

class CommandLineTest {
    @TempDir private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        return Tidemark.run(arguments, Map.of(), new PrintWriter(out), new PrintWriter(err));
    }

    @Test
    void wrongUsageIsOneLineAndTwo() {
        assertThat(run("doctor", "--nonsense")).isEqualTo(2);
        assertThat(err.toString())
                .isEqualTo(
                        "tidemark: Unknown option: '--nonsense'; see ./tidemark doctor --help\n");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void noCommandIsWrongUsage() {
        assertThat(run()).isEqualTo(2);
        assertThat(err.toString().lines()).hasSize(1);
    }

    @Test
    void helpIsAskedForAndSoGoesToStdout() {
        assertThat(run("--help")).isZero();
        assertThat(out.toString()).contains("doctor");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void doctorCallsAMissingProgramBadInput() {
        assertThat(run("doctor", "--", "/no/such/program")).isEqualTo(3);
        assertThat(err.toString()).isEqualTo("tidemark: /no/such/program: no such program\n");
    }

    @Test
    void showsWhereAnErrorComesFromOnlyWhenAsked() {
        run("doctor", "--", "/no/such/program");
        assertThat(err.toString()).doesNotContain("\tat ");
        run("--verbose", "doctor", "--", "/no/such/program");
        assertThat(err.toString()).contains("\tat dev.tidemark.deploy.");
    }

    @Command(name = "probe")
    static final class Probe implements Runnable {
        @Option(names = "--lake", defaultValue = "of the option")
        private String lake = "";

        @Override
        public void run() {}
    }

    private String lake(Map<String, String> environment, String yaml, String... arguments)
            throws Exception {
        Probe probe = new Probe();
        CommandLine line = new CommandLine(probe);
        line.setDefaultValueProvider(new Settings(environment, new YAMLMapper().readTree(yaml)));
        line.parseArgs(arguments);
        return probe.lake;
    }

    @Test
    void takesAFlagBeforeTheEnvironmentBeforeTheFileBeforeTheDefault() throws Exception {
        Map<String, String> environment = Map.of("TIDEMARK_LAKE", "of the environment");
        String yaml = "lake: of all commands\nprobe:\n  lake: of this command\n";

        assertThat(lake(environment, yaml, "--lake", "of the flag")).isEqualTo("of the flag");
        assertThat(lake(environment, yaml)).isEqualTo("of the environment");
        assertThat(lake(Map.of(), yaml)).isEqualTo("of this command");
        assertThat(lake(Map.of(), "lake: of all commands")).isEqualTo("of all commands");
        assertThat(lake(Map.of(), "other: 1")).isEqualTo("of the option");
        assertThat(lake(Map.of(), "")).isEqualTo("of the option");
    }

    @Test
    void saysWhereTheSettingsAreNotYaml() throws Exception {
        Files.writeString(folder.resolve("tidemark.yaml"), "lake: ok\nlake: [\n");
        assertThat(catchFailure(folder).getMessage())
                .startsWith(folder.resolve("tidemark.yaml") + ": line ")
                .contains("not YAML");
        Files.writeString(folder.resolve("tidemark.yaml"), "- a list\n");
        assertThat(catchFailure(folder).exitCode()).isEqualTo(3);
    }

    private static Failure catchFailure(Path folder) {
        try {
            Settings.read(Map.of(), folder);
        } catch (Failure e) {
            return e;
        }
        throw new AssertionError("read settings that are none");
    }
}
