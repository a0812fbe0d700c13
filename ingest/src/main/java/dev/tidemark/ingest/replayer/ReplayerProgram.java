package dev.tidemark.ingest.replayer;

import dev.tidemark.ingest.replayer.ReplayException.Fault;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Runs the program in C, once per session, and reads what it measured. */
final class ReplayerProgram {
    private static final long GRACE_S = 60;
    private static final long OBSERVED_S = 20;
    private static final long SLOWEST_CALL_NS = 20_000;
    private static final int PACE_FACTOR = 10;
    private static final int MAX_LINE = 300;
    private static final int FIRST_SIGNAL = 128;
    private static final int LACKING = 4;

    /** What a run of the program came to: a result, or the reason for which the arm is refused. */
    record Outcome(Optional<ReplayResult> result, Optional<String> refusal) {}

    private final Path program;
    private final Path folder;

    /**
     * A runner.
     *
     * @param program the built {@code tidemark-replayer}
     * @param folder for results, which are deleted once they are mapped
     */
    ReplayerProgram(Path program, Path folder) {
        this.program = program;
        this.folder = folder;
    }

    /** Plays a plan; the arm's crash or hang refuses it. */
    Outcome run(String mode, ReplayPlan plan, ReplayArm arm, ReplayOptions options)
            throws IOException, InterruptedException {
        if (!Files.isExecutable(program)) {
            throw new ReplayException(
                    Fault.MISSING_HERE,
                    program
                            + " is missing: run ./tidemark from the project's root, which builds it");
        }
        arm.requireLibrary();
        Path result = Files.createTempFile(folder, "replay", ".result");
        Path errors = Files.createTempFile(folder, "replay", ".errors");
        try {
            Process process = start(command(mode, plan, arm, options, result), arm, errors);
            try {
                return outcome(process, mode, plan, arm, options, result, errors);
            } finally {
                process.destroyForcibly();
            }
        } finally {
            Files.deleteIfExists(result);
            Files.deleteIfExists(errors);
        }
    }

    private List<String> command(
            String mode, ReplayPlan plan, ReplayArm arm, ReplayOptions options, Path result) {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                program.toString(),
                                mode,
                                "--plan",
                                plan.file().toString(),
                                "--result",
                                result.toString(),
                                "--touch",
                                options.touch().label(),
                                "--pace",
                                options.pace().label(),
                                "--front",
                                arm.front().label(),
                                "--sample-ms",
                                Integer.toString(options.sampleMs())));
        if (options.isObserved()) {
            command.add("--observe");
        }
        return command;
    }

    /** The program sees the arm's library and policy and no others. */
    private static Process start(List<String> command, ReplayArm arm, Path errors)
            throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(errors.toFile());
        builder.environment()
                .keySet()
                .removeIf(
                        name ->
                                name.startsWith("TIDEMARK_")
                                        || name.startsWith("MALLOC_")
                                        || name.startsWith("MIMALLOC_")
                                        || name.equals("LD_PRELOAD")
                                        || name.equals("GLIBC_TUNABLES"));
        builder.environment().putAll(arm.policy());
        arm.library()
                .ifPresent(library -> builder.environment().put("LD_PRELOAD", library.toString()));
        return builder.start();
    }

    private Outcome outcome(
            Process process,
            String mode,
            ReplayPlan plan,
            ReplayArm arm,
            ReplayOptions options,
            Path result,
            Path errors)
            throws IOException, InterruptedException {
        long limitS = limitS(plan, options);
        if (!process.waitFor(limitS, TimeUnit.SECONDS)) {
            return refused("did not end within %d s (%s)".formatted(limitS, mode));
        }
        int code = process.exitValue();
        if (code >= FIRST_SIGNAL) {
            return refused(
                    "died of signal %d (%s)%s"
                            .formatted(code - FIRST_SIGNAL, mode, lastLine(errors, ": ")));
        }
        if (code != 0) {
            throw new ReplayException(
                    code == LACKING ? Fault.MISSING_HERE : Fault.INTERNAL,
                    "replayer, arm '%s': exit code %d%s"
                            .formatted(arm.name(), code, lastLine(errors, ": ")));
        }
        ReplayResult measured = ReplayResult.open(result);
        requirePreloaded(arm, measured);
        return new Outcome(Optional.of(measured), measured.refusal());
    }

    private static Outcome refused(String reason) {
        return new Outcome(Optional.empty(), Optional.of(reason));
    }

    private static long limitS(ReplayPlan plan, ReplayOptions options) {
        long pacedS = TimeUnit.NANOSECONDS.toSeconds(plan.durationNs()) * PACE_FACTOR;
        CallTotals totals = plan.totals();
        long calls = totals.allocCalls() + totals.freeCalls() + totals.reallocCalls();
        return GRACE_S
                + (options.pace() == Pace.RECORDED ? pacedS : 0)
                + (options.isObserved() ? OBSERVED_S : 0)
                + TimeUnit.NANOSECONDS.toSeconds(calls * SLOWEST_CALL_NS);
    }

    private static void requirePreloaded(ReplayArm arm, ReplayResult result) throws IOException {
        if (arm.library().isEmpty() || result.allocator().isEmpty()) {
            return;
        }
        Path library = arm.library().get();
        Path answering = Path.of(result.allocator());
        if (!Files.exists(answering) || !Files.isSameFile(library, answering)) {
            throw ReplayException.badInput(
                    "arm '%s': %s answers malloc, not %s: it exports none or can't be preloaded here"
                            .formatted(arm.name(), answering, library));
        }
    }

    private static String lastLine(Path errors, String before) throws IOException {
        byte[] bytes = Files.readAllBytes(errors);
        String text = new String(bytes, StandardCharsets.UTF_8).strip();
        String line = text.substring(text.lastIndexOf('\n') + 1).replaceAll("\\p{Cntrl}", "?");
        String shown = line.length() > MAX_LINE ? line.substring(0, MAX_LINE) + "..." : line;
        return shown.isEmpty() ? "" : before + shown;
    }
}
