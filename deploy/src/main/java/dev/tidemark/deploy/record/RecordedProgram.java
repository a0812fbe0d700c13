package dev.tidemark.deploy.record;

import dev.tidemark.deploy.Executables;
import dev.tidemark.deploy.ExitCode;
import dev.tidemark.deploy.Failure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jline.utils.Signals;

/**
 * A program that was started under the recorder, with our standard streams.
 *
 * <p>INT, TERM and HUP that reach this process go on to the program, which decides what they mean.
 * An INT typed at the terminal reaches both by itself and is not sent twice.
 */
final class RecordedProgram {
    private final Process process;

    private RecordedProgram(Process process) {
        this.process = process;
    }

    /**
     * Starts the program.
     *
     * @param command the program, looked up as a shell does, and its arguments
     * @param preload libraries, the recorder first
     * @param variables added to this process's environment
     * @param output where its stdout and stderr go instead of ours
     */
    static RecordedProgram start(
            List<String> command,
            List<Path> preload,
            Map<String, String> variables,
            Optional<Path> output) {
        Path program = Executables.find(command.get(0));
        ProcessBuilder builder = new ProcessBuilder(new ArrayList<>(command)).inheritIO();
        output.map(Path::toFile)
                .ifPresent(
                        file -> {
                            builder.redirectErrorStream(true).redirectOutput(file);
                            builder.redirectInput(ProcessBuilder.Redirect.from(DEV_NULL.toFile()));
                        });
        builder.environment().putAll(variables);
        if (!preload.isEmpty()) {
            builder.environment()
                    .merge("LD_PRELOAD", joined(preload), (old, ours) -> ours + ":" + old);
        }
        try {
            return new RecordedProgram(builder.start());
        } catch (IOException e) {
            throw new Failure(
                    ExitCode.NOT_RUNNABLE, program + ": can't be run: " + e.getMessage(), e);
        }
    }

    private static final Path DEV_NULL = Path.of("/dev/null");

    private static String joined(List<Path> preload) {
        for (Path library : preload) {
            if (library.toString().matches(".*[: ].*")) {
                throw new Failure(
                        ExitCode.NOT_RECORDED,
                        "'%s': the loader can't preload a path with a space or a colon; use another folder"
                                .formatted(library));
            }
        }
        return String.join(":", preload.stream().map(Path::toString).toList());
    }

    long pid() {
        return process.pid();
    }

    /** Whether the program has ended within this time. */
    boolean awaitEnd(Duration atMost) throws InterruptedException {
        return process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Its exit code once it has ended; 128 + n after signal n. */
    int exitCode() {
        return process.exitValue();
    }

    /** Asks it to end. */
    void terminate() {
        process.destroy();
    }

    /** Until closed, signals to this process go on to the program. */
    SignalForwarding forwardSignals() {
        return new SignalForwarding();
    }

    /** Three handlers, put back on {@link #close}. */
    final class SignalForwarding implements AutoCloseable {
        private static final List<String> NAMES = List.of("INT", "TERM", "HUP");
        private final List<Object> previous = new ArrayList<>();

        private SignalForwarding() {
            for (String name : NAMES) {
                previous.add(Signals.register(name, () -> forward(name)));
            }
        }

        @Override
        public void close() {
            for (int i = 0; i < NAMES.size(); i++) {
                Signals.unregister(NAMES.get(i), previous.get(i));
            }
        }
    }

    private void forward(String signal) {
        if (signal.equals("TERM")) {
            process.destroy();
            return;
        }
        if (signal.equals("INT") && isInForeground()) {
            return;
        }
        try {
            // A shell's own kill: the JDK sends TERM and KILL alone.
            new ProcessBuilder("/bin/sh", "-c", "kill -" + signal + " " + process.pid()).start();
        } catch (IOException e) {
            process.destroy();
        }
    }

    /** Whether what is typed at the terminal reaches this process and so the program, too. */
    private static boolean isInForeground() {
        try {
            String stat = Files.readString(Path.of("/proc/self/stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            return fields[2].equals(fields[5]); // process group; the terminal's foreground group
        } catch (IOException e) {
            return false;
        }
    }
}
