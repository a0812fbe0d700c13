package dev.tidemark.deploy;

import dev.tidemark.deploy.demo.DemoServer;
import dev.tidemark.deploy.lake.SessionTables;
import dev.tidemark.deploy.record.RecordOptions;
import dev.tidemark.deploy.record.RecordReport;
import dev.tidemark.deploy.record.RecordRequest;
import dev.tidemark.deploy.record.RecordRun;
import dev.tidemark.deploy.record.RecordTarget;
import dev.tidemark.ingest.agent.AgentStatus;
import dev.tidemark.schemas.TraceSchemas;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The whole chain on a server, here and now. */
@Command(
        name = "demo",
        description = {
            "Records a real dedicated server for half a minute and shows which of its ticks",
            "waited for the allocator, and what is live."
        },
        mixinStandardHelpOptions = true)
final class DemoCommand implements Callable<Integer> {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double MILLION = 1e6;
    private static final int LAST_LINES = 5;

    @Option(
            names = "--title",
            paramLabel = "NAME",
            description =
                    "minetest (Debian's minetest-server) or sample (built in); default: minetest where it is installed.")
    private @Nullable String title;

    @Option(
            names = "--lake",
            paramLabel = "DIR",
            defaultValue = "lake",
            description = "The lake to write; default: ./${DEFAULT-VALUE}.")
    private Path lake = Path.of("lake");

    @Option(
            names = "--duration",
            paramLabel = "S",
            defaultValue = "30",
            description = "Record so many seconds; default: ${DEFAULT-VALUE}.")
    private int seconds = 30;

    @Spec private CommandSpec spec;

    private final Progress progress = Progress.onStderr();

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (seconds <= 0) {
            throw Failure.wrongUsage("--duration " + seconds + ": expected seconds above 0");
        }
        try (TemporaryFolder folder = TemporaryFolder.create("demo")) {
            DemoServer server = server(folder.path());
            progress.note("starting a broker in this process");
            try (RecordTarget target =
                    RecordTarget.open(
                            Optional.empty(),
                            Optional.of(lake),
                            Optional.empty(),
                            TraceSchemas.TRACE_TOPIC)) {
                RecordRun.Result result = record(server, folder.path(), target);
                target.closeSink();
                if (result.sessions().isEmpty()) {
                    new RecordReport(spec.commandLine().getErr())
                            .print(request(server, folder.path()), result);
                    throw Failure.missingHere(lastLines(folder.path()));
                }
                progress.note("replaying the events in Flink into " + lake);
                target.load(false);
                print(server, result.program().sessionId());
            }
        }
        return ExitCode.DONE;
    }

    private DemoServer server(Path folder) throws IOException, InterruptedException {
        Optional<Path> minetest = Executables.minetestServer();
        if (title == null && minetest.isEmpty()) {
            progress.note(
                    "there is no minetestserver here, so the built-in sample server is used; sudo apt-get install minetest-server brings it");
            return DemoServer.sample(folder);
        }
        String wanted = title == null ? DemoServer.MINETEST : title;
        return switch (wanted) {
            case DemoServer.SAMPLE -> DemoServer.sample(folder);
            case DemoServer.MINETEST ->
                    DemoServer.minetest(
                            minetest.orElseThrow(
                                    () ->
                                            Failure.missingHere(
                                                    "minetestserver is missing: sudo apt-get install minetest-server")),
                            folder);
            default ->
                    throw Failure.wrongUsage(
                            "--title '" + wanted + "': expected minetest or sample");
        };
    }

    private RecordRequest request(DemoServer server, Path folder) {
        RecordOptions options =
                RecordOptions.of(
                        "--title",
                        server.title(),
                        "--role",
                        "server",
                        "--scene",
                        "demo",
                        "--frames",
                        "none",
                        "--ticks",
                        server.ticks());
        return new RecordRequest(
                server.command(),
                options,
                server.variables(),
                Optional.of(Duration.ofSeconds(seconds)),
                Optional.of(output(folder)));
    }

    private RecordRun.Result record(DemoServer server, Path folder, RecordTarget target)
            throws IOException, InterruptedException {
        progress.note("recording %s for %d s".formatted(server.description(), seconds));
        long begunNanos = System.nanoTime();
        try (Progress.Step step = progress.begin("recording", seconds)) {
            return RecordRun.run(
                    request(server, folder),
                    target.sink(),
                    status -> step.at(secondsSince(begunNanos), word(status)));
        }
    }

    private static long secondsSince(long nanos) {
        return (long) ((System.nanoTime() - nanos) / NANOS_PER_SECOND);
    }

    private static String word(AgentStatus status) {
        return "%.1f million events".formatted(status.events() / MILLION);
    }

    private void print(DemoServer server, String sessionId) throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        try (SessionTables tables = SessionTables.open(lake, sessionId, Terminal.columns())) {
            tables.printSession(out, "What was recorded: " + server.description());
            tables.print(
                    out,
                    "The ticks that waited longest for the allocator",
                    "worst",
                    Map.of("n", "8"));
            tables.print(out, "What a tick costs", "tail", Map.of());
            tables.print(out, "Memory", "memory", Map.of());
        }
        out.printf(
                """

                More from here, with the lake in %1$s:
                  ./tidemark sessions --lake %1$s
                  ./tidemark sql --lake %1$s                  a prompt, with completion
                  ./tidemark sql --lake %1$s "FROM worst_ticks('%2$s', 5)"
                  ./tidemark record --lake %1$s --arm jemalloc --ticks %3$s -- PROGRAM
                """,
                lake, sessionId, server.ticks());
        out.flush();
    }

    private static Path output(Path folder) {
        return folder.resolve("output.txt");
    }

    private static String lastLines(Path folder) throws IOException {
        List<String> lines = Files.readAllLines(output(folder), StandardCharsets.UTF_8);
        return "the server said: "
                + String.join(
                        "; ", lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size()));
    }
}
