package dev.tidemark.deploy;

import dev.tidemark.deploy.arm.Arm;
import dev.tidemark.deploy.arm.ArmsFile;
import dev.tidemark.deploy.bench.BenchArm;
import dev.tidemark.deploy.bench.BenchPlan;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What is compared in a bench, and how often. */
final class BenchOptions {
    private static final int ROUNDS_FOR_A_VERDICT = 5;
    private static final int MOST = 1_000;

    @Option(
            names = "--arm",
            paramLabel = "NAME[=LIB][,K=V]",
            description = {
                "glibc, jemalloc, mimalloc, tcmalloc, rusty_alloc, or NAME=LIB with LIB one of these or a path;",
                "repeatable, the first is the baseline."
            })
    private List<String> armTexts = new ArrayList<>();

    @Option(names = "--arms", paramLabel = "FILE.yaml", description = "Arms from a file.")
    private @Nullable Path armsFile;

    @Option(
            names = "--reps",
            paramLabel = "N",
            description = "Rounds in a run; default: ${DEFAULT-VALUE}.")
    private int reps = ROUNDS_FOR_A_VERDICT;

    @Option(names = "--runs", paramLabel = "N", description = "Runs; default: ${DEFAULT-VALUE}.")
    private int runs = 2;

    @Option(
            names = "--null-arm",
            negatable = true,
            defaultValue = "true",
            fallbackValue = "true",
            description =
                    "The baseline a second time, which shows what no difference looks like; always on.")
    private boolean nullArm = true;

    @Option(
            names = "--late",
            paramLabel = "WHAT",
            defaultValue = "round",
            description =
                    "What one void session voids: its round, or the session alone; default: ${DEFAULT-VALUE}.")
    private Late late = Late.ROUND;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Of the shuffles; default: ${DEFAULT-VALUE}.")
    private long seed = 1;

    /** What one void session voids. */
    enum Late {
        ROUND,
        SESSION
    }

    /** What can be wrong with numbers, before anything is looked for. */
    private void check() {
        if (!nullArm) {
            throw Failure.wrongUsage(
                    "--no-null-arm: without it nothing tells a difference from this machine's noise; leave it on");
        }
        if (reps < 2 || reps > MOST) {
            throw Failure.wrongUsage(
                    "--reps %d: expected 2 to %d rounds, since one has no spread and fewer than %d give no verdict"
                            .formatted(reps, MOST, ROUNDS_FOR_A_VERDICT));
        }
        if (runs < 1 || runs > MOST) {
            throw Failure.wrongUsage(
                    "--runs %d: expected 1 to %d; a finding stands in two".formatted(runs, MOST));
        }
    }

    private List<Arm> arms(boolean isLive, PrintWriter err) {
        List<Arm> arms = new ArrayList<>();
        armTexts.forEach(text -> arms.add(Arm.parseNamed(text)));
        if (armsFile != null) {
            arms.addAll(ArmsFile.read(armsFile));
        }
        if (armTexts.isEmpty() && armsFile == null) {
            ArmsFile.Contents usual = ArmsFile.usual();
            usual.leftOut().forEach(line -> err.println("tidemark: left out: " + line));
            usual.arms().stream()
                    .filter(arm -> !isLive || arm.builtIn().isEmpty())
                    .forEach(arms::add);
        }
        if (arms.size() < 2) {
            throw Failure.wrongUsage(
                    "one arm, %s: nothing to compare; add --arm".formatted(arms.get(0).name()));
        }
        return arms;
    }

    /**
     * The plan of a bench; what is wrong with it is a {@link Failure}.
     *
     * @param id of the bench
     * @param kinds of its rounds
     * @param isLive whether the replayer's own allocators can't run
     * @param err is told which of the usual arms are not there
     */
    BenchPlan plan(String id, List<String> kinds, boolean isLive, PrintWriter err) {
        check();
        List<BenchArm> arms = BenchArm.of(arms(isLive, err));
        return new BenchPlan(id, arms, kinds, reps, runs, seed, late == Late.SESSION);
    }

    /** What a resumed bench must share with the one that was begun, by name. */
    Map<String, String> settings(BenchPlan plan) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put(
                "arms",
                String.join(
                        ", ",
                        plan.arms().stream().map(arm -> arm.name() + arm.arm().policy()).toList()));
        settings.put("kinds", String.join(",", plan.kinds()));
        settings.put("--reps", Integer.toString(reps));
        settings.put("--runs", Integer.toString(runs));
        settings.put("--seed", Long.toString(seed));
        settings.put("--late", late.name().toLowerCase(Locale.ROOT));
        return settings;
    }
}
