package dev.tidemark.deploy.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tidemark.deploy.Failure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordedProgramTest {
    private static final Duration LONG_ENOUGH = Duration.ofSeconds(60);

    @TempDir private Path folder;

    private RecordedProgram shell(String script) {
        return RecordedProgram.start(
                List.of("sh", "-c", script),
                List.of(),
                Map.of("PLACE", folder.toString()),
                Optional.of(folder.resolve("output")));
    }

    private int exitCode(String script) throws InterruptedException {
        RecordedProgram program = shell(script);
        assertThat(program.awaitEnd(LONG_ENOUGH)).isTrue();
        return program.exitCode();
    }

    @Test
    void passesTheExitCodeOn() throws Exception {
        assertThat(exitCode("exit 0")).isZero();
        assertThat(exitCode("exit 7")).isEqualTo(7);
    }

    @Test
    void aSignalIs128More() throws Exception {
        assertThat(exitCode("kill -9 $$")).isEqualTo(137);
        assertThat(exitCode("kill -11 $$")).isEqualTo(139);
    }

    @Test
    void terminationIsTheProgramsToDecide() throws Exception {
        RecordedProgram program =
                shell("trap 'exit 42' TERM; touch $PLACE/ready; while :; do sleep 0.02; done");
        awaitFile("ready");
        assertThat(program.awaitEnd(Duration.ofMillis(1))).isFalse();
        program.terminate();
        assertThat(program.awaitEnd(LONG_ENOUGH)).isTrue();
        assertThat(program.exitCode()).isEqualTo(42);
    }

    @Test
    void signalsToUsGoOnToTheProgram() throws Exception {
        for (String signal : List.of("TERM", "HUP")) {
            RecordedProgram program =
                    shell(
                            "trap 'exit 43' %s; touch $PLACE/%s; while :; do sleep 0.02; done"
                                    .formatted(signal, signal));
            awaitFile(signal);
            try (RecordedProgram.SignalForwarding forwarding = program.forwardSignals()) {
                assertThat(forwarding).isNotNull();
                long self = ProcessHandle.current().pid();
                new ProcessBuilder("/bin/sh", "-c", "kill -" + signal + " " + self)
                        .start()
                        .waitFor();
                assertThat(program.awaitEnd(LONG_ENOUGH)).isTrue();
            }
            assertThat(program.exitCode()).isEqualTo(43);
        }
    }

    @Test
    void addsToTheEnvironment() throws Exception {
        assertThat(exitCode("echo \"$PLACE\"")).isZero();
        assertThat(folder.resolve("output")).hasContent(folder.toString());
    }

    @Test
    void saysWhatCantBeRun() throws Exception {
        Path text = Files.writeString(folder.resolve("text"), "no program");
        assertThat(failure("no-such-program-here"))
                .hasMessage("no-such-program-here: no such program");
        assertThat(failure(text.toString()))
                .hasMessage(text + ": can't be run: not an executable file");
    }

    @Test
    void refusesAPreloadThatTheLoaderWouldSplit() {
        Failure failure =
                catchThrowableOfType(
                        Failure.class,
                        () ->
                                RecordedProgram.start(
                                        List.of("true"),
                                        List.of(Path.of("/a b/lib.so")),
                                        Map.of(),
                                        Optional.empty()));
        assertThat(failure).hasMessageContaining("'/a b/lib.so'");
    }

    private Failure failure(String command) {
        return catchThrowableOfType(
                Failure.class,
                () ->
                        RecordedProgram.start(
                                List.of(command), List.of(), Map.of(), Optional.empty()));
    }

    private void awaitFile(String name) throws InterruptedException {
        while (!Files.exists(folder.resolve(name))) {
            Thread.sleep(5);
        }
    }
}
