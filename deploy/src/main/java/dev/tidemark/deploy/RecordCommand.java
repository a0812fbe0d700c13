package dev.tidemark.deploy;

import dev.tidemark.deploy.record.RecordOptions;
import dev.tidemark.deploy.record.RecordReport;
import dev.tidemark.deploy.record.RecordRequest;
import dev.tidemark.deploy.record.RecordRun;
import dev.tidemark.deploy.record.RecordTarget;
import dev.tidemark.schemas.TraceSchemas;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs a program under the recorder and passes its exit code on. */
@Command(
        name = "record",
        description = "Runs a program under the recorder and passes its exit code on.",
        mixinStandardHelpOptions = true)
final class RecordCommand implements Callable<Integer> {
    private static final Set<Integer> SHELL_CODES =
            Set.of(ExitCode.WRONG_USAGE, ExitCode.NOT_RUNNABLE, ExitCode.NOT_FOUND);

    @Mixin private RecordOptions options = new RecordOptions();
    @Mixin private LakeOptions lake = new LakeOptions();

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "Write a recording (NAME.trace.avro).")
    private @Nullable Path recording;

    @Option(
            names = "--duration",
            paramLabel = "S",
            description = "Send TERM after so many seconds.")
    private @Nullable Double durationSeconds;

    @Parameters(
            arity = "1..*",
            paramLabel = "CMD",
            description = "The program and its arguments, after --.")
    private List<String> command = List.of();

    @Spec private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        Optional<Path> wantedLake = lake.lake(spec.commandLine(), recording != null);
        RecordRequest request =
                new RecordRequest(command, options, Map.of(), duration(), Optional.empty());
        try (RecordTarget target =
                RecordTarget.open(
                        Optional.ofNullable(recording),
                        wantedLake,
                        lake.kafka(),
                        TraceSchemas.TRACE_TOPIC)) {
            RecordRun.Result result = RecordRun.run(request, target.sink(), status -> {});
            return finish(request, target, result);
        } catch (Failure e) {
            throw SHELL_CODES.contains(e.exitCode()) ? e : e.withExitCode(ExitCode.NOT_RECORDED);
        } catch (IOException e) {
            throw new Failure(ExitCode.NOT_RECORDED, "not recorded: " + Failure.reason(e), e);
        }
    }

    /** The program's exit code counts, but for a success of which nothing was kept. */
    private int finish(RecordRequest request, RecordTarget target, RecordRun.Result result) {
        PrintWriter err = spec.commandLine().getErr();
        try {
            target.closeSink();
            new RecordReport(err).print(request, result);
            target.load(lake.events());
            return result.exitCode();
        } catch (IOException | Failure e) {
            err.println("tidemark: the recording was not kept: " + Failure.reason(e));
            return result.exitCode() == 0 ? ExitCode.INTERNAL_ERROR : result.exitCode();
        }
    }

    private Optional<Duration> duration() {
        if (durationSeconds == null) {
            return Optional.empty();
        }
        if (!(durationSeconds > 0 && durationSeconds < 1e9)) {
            throw Failure.wrongUsage(
                    "--duration " + durationSeconds + ": expected a number of seconds above 0");
        }
        return Optional.of(Duration.ofNanos((long) (durationSeconds * 1e9)));
    }
}
