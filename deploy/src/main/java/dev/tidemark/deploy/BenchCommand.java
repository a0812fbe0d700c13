package dev.tidemark.deploy;

import dev.tidemark.deploy.bench.Bench;
import dev.tidemark.deploy.bench.BenchArm;
import dev.tidemark.deploy.bench.BenchPlan;
import dev.tidemark.deploy.bench.BenchProgress;
import dev.tidemark.deploy.bench.HostState;
import dev.tidemark.deploy.bench.LiveSessions;
import dev.tidemark.deploy.bench.StreamedSessions;
import dev.tidemark.deploy.record.RecordOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Sessions of several arms in shuffled rounds, into a lake. */
@Command(
        name = "bench",
        description = {
            "Sessions of several arms in shuffled rounds, the baseline twice, in two runs; into a",
            "lake between rounds. Killed and started again with --resume, it goes on where it was."
        },
        mixinStandardHelpOptions = true)
final class BenchCommand implements Callable<Integer> {
    private static final String ID = "id";
    private static final int WIDTH = 16;

    @Option(
            names = "--live",
            description = "Live sessions of CMD, recorded under one arm after another.")
    private boolean live;

    @Option(
            names = "--duration",
            paramLabel = "S",
            description = "Send a live program TERM after so many seconds.")
    private @Nullable Double durationSeconds;

    @Option(
            names = "--work",
            paramLabel = "DIR",
            description = "Holds the journal; default: bench/TITLE.")
    private @Nullable Path work;

    @Option(names = "--dry-run", description = "Say what would run and how long, and end.")
    private boolean isDryRun;

    @Option(names = "--resume", description = "Go on with a bench that was interrupted.")
    private boolean isResumed;

    @Mixin private BenchOptions what = new BenchOptions();
    @Mixin private RecordOptions options = new RecordOptions();
    @Mixin private LakeOptions lake = new LakeOptions();

    @Parameters(
            arity = "0..*",
            paramLabel = "CMD",
            description = "With --live: the program and its arguments, after --.")
    private List<String> command = List.of();

    @Spec private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter err = spec.commandLine().getErr();
        if (!live) {
            throw Failure.wrongUsage("bench: say --live and the program, after --");
        }
        if (command.isEmpty()) {
            throw Failure.wrongUsage("bench --live: no program given; write it after --");
        }
        Executables.find(command.get(0));
        BenchPlan plan = what.plan(id(), List.of(LiveSessions.KIND), live, err);
        plan.arms().forEach(arm -> options.setArm(arm.arm()));
        double sessionSeconds = durationSeconds == null ? 0 : durationSeconds;
        if (isDryRun) {
            print(plan, sessionSeconds);
            return ExitCode.DONE;
        }
        return run(plan, sessionSeconds, err);
    }

    private int run(BenchPlan plan, double sessionSeconds, PrintWriter err)
            throws IOException, InterruptedException {
        StreamedSessions store =
                new StreamedSessions(lake.lake(spec.commandLine(), false), lake.kafka());
        Path folder = folder();
        if (isResumed && !Files.exists(folder.resolve(ID))) {
            throw Failure.badInput(folder + ": nothing to resume: no bench was begun there");
        }
        Files.createDirectories(folder);
        Files.writeString(folder.resolve(ID), plan.id() + "\n");
        LiveSessions sessions =
                new LiveSessions(
                        command,
                        options,
                        RecordingOptions.seconds("--duration", durationSeconds),
                        folder.resolve("output.log"));
        BenchProgress progress = new BenchProgress(err, plan.sessions(), sessionSeconds);
        Bench.Result result =
                new Bench(plan, folder, sessions, store, progress).run(settings(plan), isResumed);
        return report(plan, result);
    }

    private int report(BenchPlan plan, Bench.Result result) {
        PrintWriter out = spec.commandLine().getOut();
        out.printf(
                "bench %s: %d %s of %d rounds, %d arms%n",
                plan.id(),
                plan.runs(),
                plan.runs() == 1 ? "run" : "runs",
                plan.reps(),
                plan.arms().size() - result.leftOut().size());
        result.leftOut().forEach((arm, why) -> out.printf("left out: %s, %s%n", arm, why));
        if (result.lostRounds() > 0) {
            out.printf("lost: %d rounds that were void each time%n", result.lostRounds());
        }
        return ExitCode.DONE;
    }

    private Path folder() {
        if (work != null) {
            return work;
        }
        Path program = Path.of(command.get(0)).getFileName();
        return Path.of("bench").resolve(String.valueOf(program));
    }

    /** The bench's name: that of its folder, and when it was begun, which its journal knows. */
    private String id() throws IOException {
        Path begun = folder().resolve(ID);
        if (Files.isReadable(begun)) {
            return Files.readString(begun).strip();
        }
        return folder().toAbsolutePath().getFileName()
                + "-"
                + Long.toString(System.currentTimeMillis() / 1000, Character.MAX_RADIX);
    }

    private Map<String, String> settings(BenchPlan plan) {
        Map<String, String> settings = new LinkedHashMap<>(HostState.read());
        settings.put("command", String.join(" ", command));
        settings.putAll(what.settings(plan));
        return settings;
    }

    private void print(BenchPlan plan, double sessionSeconds) {
        PrintWriter out = spec.commandLine().getOut();
        row(
                out,
                "sessions",
                "%d: %d runs of %d rounds of %d arms, and one discarded in each run"
                        .formatted(plan.sessions(), plan.runs(), plan.reps(), plan.arms().size()));
        row(out, "kinds", String.join(", ", plan.kinds()));
        row(
                out,
                "time",
                sessionSeconds == 0
                        ? "as long as the program runs, %d times".formatted(plan.sessions())
                        : "about "
                                + BenchProgress.text(
                                        Duration.ofMillis(
                                                (long) (1000 * sessionSeconds * plan.sessions())))
                                + ", and some seconds to the lake after each round");
        for (BenchArm arm : plan.arms()) {
            row(
                    out,
                    arm.isNull() ? "null arm" : arm.equals(plan.arms().get(0)) ? "baseline" : "arm",
                    arm.name()
                            + arm.arm().library().map(path -> "  " + path).orElse("")
                            + (arm.arm().policy().isEmpty() ? "" : "  " + arm.arm().policy()));
        }
    }

    private static void row(PrintWriter out, String name, String value) {
        out.printf("  %-" + WIDTH + "s%s%n", name, value);
    }
}
