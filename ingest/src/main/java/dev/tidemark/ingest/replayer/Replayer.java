package dev.tidemark.ingest.replayer;

import dev.tidemark.ingest.agent.Uuids;
import dev.tidemark.ingest.proc.AllocatorLibrary;
import dev.tidemark.ingest.proc.HostFacts;
import dev.tidemark.ingest.proc.Salt;
import dev.tidemark.ingest.replayer.ReplayException.Fault;
import dev.tidemark.schemas.avro.Clock;
import dev.tidemark.schemas.avro.Detail;
import dev.tidemark.schemas.avro.EndReason;
import dev.tidemark.schemas.avro.Kind;
import dev.tidemark.schemas.avro.ReplayOutcome;
import dev.tidemark.schemas.avro.RoundKind;
import dev.tidemark.schemas.avro.SessionEnd;
import dev.tidemark.schemas.avro.SessionStart;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Replays a plan under arms, one process and one session at a time. An arm is checked before it is
 * timed; one that fails is refused, and the reason stands in its session under the label {@value
 * #REFUSED}.
 *
 * <p>Everything throws {@link ReplayException} when the recording, the arm's library or this
 * machine is at fault, and {@link IOException} when a file can't be read or written. An interrupt
 * ends the process that runs.
 */
public final class Replayer {
    /** Label of a session whose arm was refused; its value says why. */
    public static final String REFUSED = "refused";

    private static final ReplayOptions CHECK = ReplayOptions.plain(Touch.NONE).withPace(Pace.NONE);

    private final ReplayerProgram program;
    private final @Nullable Salt salt;

    /**
     * A replayer.
     *
     * @param program the built {@code tidemark-replayer}
     * @param folder for results on their way, 8 bytes for each call of a profiled round
     * @param salt hashes the machine's name; null leaves it out
     */
    public Replayer(Path program, Path folder, @Nullable Salt salt) {
        this.program = new ReplayerProgram(program, folder);
        this.salt = salt;
    }

    /**
     * Plays the recording with every block looked at: alignment, overlap, contents across releases
     * and resizes, zeroes, releases on other threads, leaks.
     *
     * @return why the arm must not be timed; empty when it may
     */
    public Optional<String> check(ReplayPlan plan, ReplayArm arm)
            throws IOException, InterruptedException {
        ReplayerProgram.Outcome outcome = program.run("check", plan, arm, CHECK);
        if (outcome.refusal().isEmpty() && arm.front() != Front.FLOOR) {
            requireAll(plan, arm, outcome.result().orElseThrow());
        }
        return outcome.refusal();
    }

    /**
     * Replays once and writes the session into a recording of its own, in place of one that may be
     * there; the file appears when it is whole.
     *
     * @throws ReplayException also when pace is to be kept and the recording has no times, or a
     *     plain round is wanted of one without marks
     */
    public ReplayedSession run(
            ReplayPlan plan, ReplayArm arm, ReplayOptions options, Path recording)
            throws IOException, InterruptedException {
        requireReplayable(plan, arm, options);
        boolean isProfiled = options.roundKind() == RoundKind.PROFILED;
        ReplayerProgram.Outcome outcome =
                program.run(isProfiled ? "profiled" : "plain", plan, arm, options);
        if (outcome.refusal().isPresent()) {
            return refuse(plan, arm, options, outcome.refusal().get(), recording);
        }
        ReplayResult result = outcome.result().orElseThrow();
        requireAll(plan, arm, result);
        return write(plan, arm, options, result, recording);
    }

    /**
     * Writes the session of an arm that was refused: it has a start, with the reason, and an end.
     */
    public ReplayedSession refuse(
            ReplayPlan plan, ReplayArm arm, ReplayOptions options, String reason, Path recording)
            throws IOException {
        long nowNs = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
        String id = Uuids.version7(TimeUnit.NANOSECONDS.toMillis(nowNs));
        ReplayOutcome outcome = ReplayOutcome.newBuilder().build();
        try (SessionWriter writer = new SessionWriter(id, recording)) {
            writer.send(start(plan, arm, options, "", nowNs, Optional.of(reason)));
            writer.send(end(0, EndReason.STOPPED, 0, outcome));
            writer.finish();
        }
        return new ReplayedSession(id, recording, outcome, Optional.of(reason), CallTotals.NONE, 0);
    }

    private static void requireReplayable(ReplayPlan plan, ReplayArm arm, ReplayOptions options)
            throws ReplayException {
        if (options.pace() == Pace.RECORDED && !plan.hasTimes()) {
            throw plan.source()
                    .bad("its calls have no times, so no pace can be kept; use --pace none");
        }
        if (options.roundKind() == RoundKind.PLAIN && plan.marks() == 0) {
            throw plan.source()
                    .bad(
                            "it has no frames and no ticks, at which a plain round sums up; record with --frames or --ticks, or replay it profiled");
        }
        if (arm.front().isStack() && plan.marks() == 0) {
            throw plan.source()
                    .bad(
                            "it has no frames and no ticks, at which arm '%s' resets its stack; record with --frames or --ticks"
                                    .formatted(arm.name()));
        }
    }

    /** What the replayer did is what the plan has. */
    private static void requireAll(ReplayPlan plan, ReplayArm arm, ReplayResult result)
            throws ReplayException {
        CallTotals counted = result.counted();
        boolean isCounted = !counted.equals(CallTotals.NONE);
        if (isCounted && !counted.equals(plan.totals())) {
            throw new ReplayException(
                    Fault.INTERNAL,
                    "arm '%s': replayed %s of %s".formatted(arm.name(), counted, plan.totals()));
        }
    }

    private ReplayedSession write(
            ReplayPlan plan,
            ReplayArm arm,
            ReplayOptions options,
            ReplayResult result,
            Path recording)
            throws IOException {
        long startedMs = TimeUnit.NANOSECONDS.toMillis(result.startedRealtimeNs());
        String id = Uuids.version7(startedMs);
        try (SessionWriter writer = new SessionWriter(id, recording)) {
            writer.send(
                    start(
                            plan,
                            arm,
                            options,
                            result.allocator(),
                            result.startedRealtimeNs(),
                            Optional.empty()));
            MemoryRecords memory =
                    new MemoryRecords(plan, result, writer, options.pace() == Pace.RECORDED);
            long events = writeCalls(plan, options, result, writer, memory);
            memory.sendBefore(Long.MAX_VALUE);
            ReplayOutcome outcome = memory.outcome();
            writer.send(end(plan.endNs(), EndReason.EXIT, events, outcome));
            writer.finish();
            return new ReplayedSession(
                    id,
                    recording,
                    outcome,
                    Optional.empty(),
                    result.counted(),
                    result.longestCalls());
        }
    }

    private static long writeCalls(
            ReplayPlan plan,
            ReplayOptions options,
            ReplayResult result,
            SessionWriter writer,
            MemoryRecords memory)
            throws IOException {
        ReplayCursor cursor = new ReplayCursor(plan, result);
        if (options.roundKind() != RoundKind.PROFILED) {
            plan.source().read(new PlainRecords(cursor, writer, memory));
            return 0;
        }
        ProfiledRecords profiled =
                new ProfiledRecords(cursor, result, options.touch() != Touch.NONE, writer, memory);
        plan.source().read(profiled);
        return profiled.events();
    }

    private SessionStart start(
            ReplayPlan plan,
            ReplayArm arm,
            ReplayOptions options,
            String allocatorLibrary,
            long startedNs,
            Optional<String> refusal)
            throws ReplayException {
        SessionStart source = plan.source().start();
        AllocatorLibrary allocator =
                AllocatorLibrary.of(arm.library().map(Path::toString).orElse(allocatorLibrary));
        Map<String, String> labels = new HashMap<>(source.getLabels());
        labels.putAll(options.labels());
        refusal.ifPresent(reason -> labels.put(REFUSED, reason));
        boolean isProfiled = options.roundKind() == RoundKind.PROFILED;
        return SessionStart.newBuilder(source)
                .setRunId(options.runId())
                .setArm(arm.name())
                .setRound(options.round())
                .setAllocator(arm.front() == Front.FLOOR ? "floor" : allocator.name())
                .setAllocatorVersion(arm.front() == Front.FLOOR ? null : allocator.version())
                .setPolicy(arm.policy())
                .setLabels(labels)
                .setKind(Kind.REPLAY)
                .setClock(Clock.REPLAY)
                .setDetail(isProfiled ? Detail.EVENTS : Detail.COUNTERS)
                .setRoundKind(options.roundKind())
                .setTouch(options.touch().label())
                .setPacing(options.pace().label())
                .setStartedAtUs(TimeUnit.NANOSECONDS.toMicros(startedNs))
                .setRecorderVersion(version())
                .setHost(HostFacts.read(salt))
                .setSourceSessionId(plan.source().sessionId())
                .setContinuesSessionId(null)
                .build();
    }

    private static String version() {
        return Objects.requireNonNullElse(
                Replayer.class.getPackage().getImplementationVersion(), "development");
    }

    private static SessionEnd end(long atNs, EndReason reason, long events, ReplayOutcome outcome) {
        return SessionEnd.newBuilder()
                .setAtNs(atNs)
                .setReason(reason)
                .setExitCode(reason == EndReason.EXIT ? 0 : null)
                .setEventsSent(events)
                .setEventsDropped(0)
                .setReplay(outcome)
                .build();
    }
}
