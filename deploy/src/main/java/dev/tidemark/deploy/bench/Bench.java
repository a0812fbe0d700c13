package dev.tidemark.deploy.bench;

import dev.tidemark.deploy.ExitCode;
import dev.tidemark.deploy.Failure;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Runs a plan from its begin, or from where its journal ends. One thread. */
public final class Bench {
    private final BenchPlan plan;
    private final Path folder;
    private final SessionRunner runner;
    private final SessionStore store;
    private final BenchProgress progress;
    private final Map<String, Integer> voids = new LinkedHashMap<>();
    private final Map<String, String> leftOut = new LinkedHashMap<>();
    private int lostRounds;

    /**
     * A bench.
     *
     * @param folder holds the journal and recordings that the lake does not have yet
     */
    public Bench(
            BenchPlan plan,
            Path folder,
            SessionRunner runner,
            SessionStore store,
            BenchProgress progress) {
        this.plan = plan;
        this.folder = folder;
        this.runner = runner;
        this.store = store;
        this.progress = progress;
    }

    /**
     * What came of it.
     *
     * @param leftOut arms that were not measured to the end, and why
     * @param lostRounds rounds that were void each time
     */
    public record Result(Map<String, String> leftOut, int lostRounds) {}

    /**
     * Runs it.
     *
     * @param settings that a resumed bench must share
     * @param isResumed whether a journal should be there
     */
    public Result run(Map<String, String> settings, boolean isResumed)
            throws IOException, InterruptedException {
        Files.createDirectories(folder);
        try (Journal journal = Journal.open(folder.resolve("journal"), settings, isResumed)) {
            for (int run = 0; run < plan.runs(); run++) {
                discarded(journal, run);
                for (int round = 0; round < plan.reps(); round++) {
                    for (String kind : plan.kinds()) {
                        round(journal, run, kind, round);
                    }
                }
            }
        }
        return new Result(Map.copyOf(leftOut), lostRounds);
    }

    private void discarded(Journal journal, int run) throws IOException, InterruptedException {
        SessionTask task = new SessionTask(plan.baseline(), plan.kinds().get(0), run, 0, 0, true);
        SessionOutcome outcome = session(journal, task);
        load(journal, Map.of(task, outcome), Map.of());
        judgeRefusals(Map.of(task, outcome));
    }

    /** Makes a round, again where it was void. */
    private void round(Journal journal, int run, String kind, int round)
            throws IOException, InterruptedException {
        for (int attempt = 0; attempt <= BenchPlan.REPEATS; attempt++) {
            List<BenchArm> arms =
                    plan.arms().stream().filter(arm -> !leftOut.containsKey(arm.name())).toList();
            Map<SessionTask, SessionOutcome> sessions = new LinkedHashMap<>();
            for (BenchArm arm : plan.shuffled(arms, run, kind, round, attempt)) {
                SessionTask task = new SessionTask(arm, kind, run, round, attempt, false);
                sessions.put(task, session(journal, task));
            }
            Map<SessionTask, String> whyVoid = judge(sessions);
            load(journal, sessions, whyVoid);
            judgeRefusals(sessions);
            if (whyVoid.isEmpty() || plan.isLateSessionAlone()) {
                return;
            }
            judgeFaults(sessions);
        }
        lostRounds++;
        progress.note(
                "run %d, %s round %d: given up after %d attempts"
                        .formatted(run + 1, kind, round + 1, BenchPlan.REPEATS + 1));
    }

    /** The session's outcome, from the journal or made now. */
    private SessionOutcome session(Journal journal, SessionTask task)
            throws IOException, InterruptedException {
        SessionOutcome before = journal.outcome(task);
        if (before != null) {
            progress.known(task, before);
            return before;
        }
        Path unfinished = recording(task).resolveSibling("unfinished.trace.avro");
        Files.deleteIfExists(unfinished);
        progress.begins(task);
        SessionOutcome outcome = runner.run(task, unfinished);
        if (!Files.exists(unfinished)) {
            throw new IOException(task.key() + ": left no recording");
        }
        // On disk, under its name, and only then in the journal.
        force(unfinished);
        Files.move(unfinished, recording(task), StandardCopyOption.ATOMIC_MOVE);
        force(folder);
        journal.ended(task, outcome);
        progress.ended(task, outcome);
        return outcome;
    }

    private static void force(Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    private Path recording(SessionTask task) {
        return folder.resolve(
                "%d-%s-%d-%d-%d%s.trace.avro"
                        .formatted(
                                task.run() + 1,
                                task.kind(),
                                task.round() + 1,
                                task.attempt() + 1,
                                plan.arms().indexOf(task.arm()),
                                task.isDiscarded() ? "-discarded" : ""));
    }

    /** Why each session is void: of a round, all are as soon as one has a fault. */
    private Map<SessionTask, String> judge(Map<SessionTask, SessionOutcome> sessions) {
        Map<SessionTask, String> own = new LinkedHashMap<>();
        sessions.forEach(
                (task, outcome) -> {
                    if (outcome.fault() != null && outcome.refused() == null) {
                        own.put(task, task.arm().name() + ": " + outcome.fault());
                    }
                });
        if (own.isEmpty() || plan.isLateSessionAlone()) {
            return own;
        }
        String why = String.join("; ", own.values());
        progress.isVoid(own.keySet().iterator().next(), sessions.size(), why);
        Map<SessionTask, String> all = new LinkedHashMap<>();
        sessions.forEach(
                (task, outcome) -> {
                    if (outcome.refused() == null) {
                        all.put(task, why);
                    }
                });
        return all;
    }

    private void judgeRefusals(Map<SessionTask, SessionOutcome> sessions) {
        sessions.forEach(
                (task, outcome) -> {
                    if (outcome.refused() != null) {
                        leaveOut(task.arm(), "refused: " + outcome.refused());
                    }
                });
    }

    private void judgeFaults(Map<SessionTask, SessionOutcome> sessions) {
        sessions.forEach(
                (task, outcome) -> {
                    if (outcome.fault() == null || outcome.refused() != null) {
                        return;
                    }
                    int count = voids.merge(task.arm().name(), 1, Integer::sum);
                    if (count == BenchPlan.MOST_VOIDS) {
                        leaveOut(task.arm(), "cannot keep pace: " + outcome.fault());
                    }
                });
    }

    private void leaveOut(BenchArm arm, String why) {
        if (arm.equals(plan.baseline()) || arm.isNull()) {
            throw new Failure(
                    ExitCode.BAD_INPUT,
                    "%s, the %s, %s: nothing to compare with"
                            .formatted(arm.name(), arm.isNull() ? "null arm" : "baseline", why));
        }
        if (leftOut.putIfAbsent(arm.name(), why) == null) {
            progress.note(arm.name() + " is left out from now on: " + why);
        }
    }

    /** Gives the store what it does not have, and removes the recordings. */
    private void load(
            Journal journal,
            Map<SessionTask, SessionOutcome> sessions,
            Map<SessionTask, String> whyVoid)
            throws IOException {
        List<SessionTask> missing = new ArrayList<>();
        Map<Path, SessionMarks> recordings = new LinkedHashMap<>();
        sessions.forEach(
                (task, outcome) -> {
                    if (!journal.isLoaded(task)) {
                        missing.add(task);
                        recordings.put(
                                recording(task),
                                SessionMarks.of(plan, task, outcome, whyVoid.get(task)));
                    }
                });
        if (missing.isEmpty()) {
            return;
        }
        progress.loads(missing.size());
        store.load(recordings);
        journal.loaded(missing);
        for (SessionTask task : missing) {
            Files.deleteIfExists(recording(task));
        }
    }
}
