package dev.tidemark.deploy;

import dev.tidemark.deploy.record.RecordTarget;
import dev.tidemark.ingest.recording.RecordingIngest;
import dev.tidemark.schemas.RecordingReader;
import dev.tidemark.schemas.SchemaCatalog;
import dev.tidemark.schemas.TraceFormatException;
import dev.tidemark.schemas.TraceSchemas;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Recordings into a lake or a broker. */
@Command(
        name = "ingest",
        description = {
            "Recordings into a lake or a broker. A second time is a new pass over the same",
            "sessions, of which the lake shows one."
        },
        mixinStandardHelpOptions = true)
final class IngestCommand implements Callable<Integer> {
    private static final String RECORDING = "recording";

    @Parameters(arity = "1..*", paramLabel = "FILE", description = "Recordings.")
    private List<Path> files = List.of();

    @Option(
            names = "--from",
            paramLabel = "NAME",
            description = "What the files are, recording; recognised by content unless said.")
    private @Nullable String from;

    @Mixin private LakeOptions lake = new LakeOptions();

    @Spec private CommandSpec spec;

    private final Progress progress = Progress.onStderr();
    private final List<String> refused = new ArrayList<>();

    @Override
    public Integer call() throws IOException {
        if (from != null && !from.equals(RECORDING)) {
            throw Failure.wrongUsage("--from '" + from + "': expected " + RECORDING);
        }
        for (Path file : files) {
            if (!Files.isReadable(file) || Files.isDirectory(file)) {
                throw Failure.badInput(file + ": no such file, or not readable");
            }
        }
        List<Path> recordings = recordings();
        if (recordings.isEmpty()) {
            refused.forEach(this::say);
            return ExitCode.BAD_INPUT;
        }
        Optional<Path> wantedLake = lake.lake(spec.commandLine(), false);
        try (RecordTarget target =
                RecordTarget.open(
                        Optional.empty(), wantedLake, lake.kafka(), TraceSchemas.BULK_TOPIC)) {
            target.startFlink();
            RecordingIngest.Result result = send(recordings, target);
            target.load(lake.events());
            return report(result);
        }
    }

    /** The files that begin as recordings do; what is wrong with the others is kept to be said. */
    private List<Path> recordings() throws IOException {
        List<Path> recordings = new ArrayList<>();
        for (Path file : files) {
            try {
                new RecordingReader(file, new SchemaCatalog()).close();
                recordings.add(file);
            } catch (TraceFormatException e) {
                refused.add(String.valueOf(e.getMessage()));
            }
        }
        return recordings;
    }

    private void say(String line) {
        spec.commandLine().getErr().println("tidemark: " + line);
    }

    private RecordingIngest.Result send(List<Path> recordings, RecordTarget target)
            throws IOException {
        try (Progress.Step step = progress.begin("records sent")) {
            RecordingIngest.Result result =
                    RecordingIngest.send(
                            recordings, target.sink(), records -> step.at(records, ""));
            target.closeSink();
            return result;
        }
    }

    private int report(RecordingIngest.Result result) {
        PrintWriter err = spec.commandLine().getErr();
        refused.forEach(this::say);
        result.errors().forEach(this::say);
        if (result.damages() > result.errors().size()) {
            err.printf("tidemark: %,d damages in all%n", result.damages());
        }
        PrintWriter out = spec.commandLine().getOut();
        out.printf("%,d records of %,d sessions%n", result.records(), result.sessionIds().size());
        result.sessionIds().forEach(id -> out.println("  " + id));
        return result.damages() == 0 && refused.isEmpty() ? ExitCode.DONE : ExitCode.BAD_INPUT;
    }
}
