package dev.tidemark.deploy;

import dev.tidemark.deploy.record.RecordReport;
import dev.tidemark.deploy.record.RecordRequest;
import dev.tidemark.deploy.record.RecordRun;
import dev.tidemark.deploy.record.RecordTarget;
import dev.tidemark.schemas.TraceSchemas;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/**
 * For commands that record one program: where the recording goes, how long, and the recording
 * itself.
 */
final class RecordingOptions {
    private static final Set<Integer> SHELL_CODES =
            Set.of(ExitCode.WRONG_USAGE, ExitCode.NOT_RUNNABLE, ExitCode.NOT_FOUND);

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "Write a recording (NAME.trace.avro).")
    private @Nullable Path file;

    @Option(
            names = "--duration",
            paramLabel = "S",
            description = "Send TERM after so many seconds.")
    private @Nullable Double durationSeconds;

    /** After which the program is told to end; wrong usage when it is no such time. */
    Optional<Duration> duration() {
        return seconds("--duration", durationSeconds);
    }

    /** An option of seconds; wrong usage when it is not above 0. */
    static Optional<Duration> seconds(String option, @Nullable Double value) {
        if (value == null) {
            return Optional.empty();
        }
        if (!(value > 0 && value < 1e9)) {
            throw Failure.wrongUsage(
                    "%s %s: expected a number of seconds above 0".formatted(option, value));
        }
        return Optional.of(Duration.ofNanos((long) (value * 1e9)));
    }

    /** Runs and records the program, and returns its exit code, or why there is none. */
    int record(CommandLine command, LakeOptions lake, RecordRequest request)
            throws InterruptedException {
        Optional<Path> wantedLake = lake.lake(command, file != null);
        try (RecordTarget target =
                RecordTarget.open(
                        Optional.ofNullable(file),
                        wantedLake,
                        lake.kafka(),
                        TraceSchemas.TRACE_TOPIC)) {
            RecordRun.Result result = RecordRun.run(request, target.sink(), status -> {});
            return finish(request, target, result, command.getErr(), lake.events());
        } catch (Failure e) {
            throw SHELL_CODES.contains(e.exitCode()) ? e : e.withExitCode(ExitCode.NOT_RECORDED);
        } catch (IOException e) {
            throw new Failure(ExitCode.NOT_RECORDED, "not recorded: " + Failure.reason(e), e);
        }
    }

    /** The program's exit code counts, but for a success of which nothing was kept. */
    private static int finish(
            RecordRequest request,
            RecordTarget target,
            RecordRun.Result result,
            PrintWriter err,
            boolean events) {
        try {
            target.closeSink();
            new RecordReport(err).print(request, result);
            target.load(events);
            return result.exitCode();
        } catch (IOException | Failure e) {
            err.println("tidemark: the recording was not kept: " + Failure.reason(e));
            return result.exitCode() == 0 ? ExitCode.INTERNAL_ERROR : result.exitCode();
        }
    }
}
