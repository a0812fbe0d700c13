package dev.tidemark.deploy.record;

import dev.tidemark.deploy.Executables;
import dev.tidemark.deploy.Installation;
import dev.tidemark.ingest.agent.Agent;
import dev.tidemark.ingest.agent.AgentListener;
import dev.tidemark.ingest.agent.AgentOptions;
import dev.tidemark.ingest.agent.AgentStatus;
import dev.tidemark.ingest.agent.SessionSummary;
import dev.tidemark.ingest.sink.TraceSink;
import dev.tidemark.schemas.avro.EndReason;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/** Runs a program under the recorder with an agent in this process, from start to end. */
public final class RecordRun {
    private static final Duration LOOK_EVERY = Duration.ofMillis(200);
    private static final String RING_BYTES = "TIDEMARK_RING_BYTES";
    private static final int FIRST_SIGNAL = 128;
    private static final int LAST_SIGNAL = 64;
    private static final Duration DRAIN_WAIT = Duration.ofMinutes(2);
    private static final Duration END_WAIT = Duration.ofSeconds(10);

    private RecordRun() {}

    /**
     * How it went.
     *
     * @param exitCode the program's; 128 + n after signal n
     * @param sessions what was recorded, in the order of their ends
     * @param errors what the agent could not record or read, a line each
     */
    public record Result(int exitCode, List<SessionSummary> sessions, List<String> errors) {
        /**
         * The session of the program that was meant: where a script replaced itself by it, of its
         * last image. There must be a session.
         */
        public SessionSummary program() {
            return sessions.stream()
                    .filter(session -> session.reason() != EndReason.EXEC)
                    .reduce((earlier, later) -> later)
                    .orElseGet(() -> sessions.get(sessions.size() - 1));
        }
    }

    /**
     * Runs the program to its end.
     *
     * @param sink takes the records; not closed
     * @param watcher is told now and then how far it is
     */
    @SuppressWarnings("try") // held open, not used
    public static Result run(RecordRequest request, TraceSink sink, Consumer<AgentStatus> watcher)
            throws IOException, InterruptedException {
        Executables.find(request.command().get(0));
        List<Path> preload = new ArrayList<>(List.of(Installation.recorder()));
        request.options().arm().library().ifPresent(preload::add);
        Collected collected = new Collected();
        int exitCode;
        Map<String, String> variables = new LinkedHashMap<>(request.variables());
        try (RingFolder rings =
                RingFolder.create(request.options().ringDirectory(), space(variables))) {
            variables.putAll(request.options().variables(request.command().get(0), rings.path()));
            AgentOptions options = AgentOptions.of(rings.path()).withEndWait(END_WAIT);
            try (Agent agent = Agent.start(options, sink, collected)) {
                RecordedProgram program =
                        RecordedProgram.start(
                                request.command(), preload, variables, request.output());
                try (RecordedProgram.SignalForwarding forwarding = program.forwardSignals()) {
                    awaitEnd(program, request, () -> watcher.accept(agent.status()));
                }
                exitCode = program.exitCode();
                tellEnd(agent, program.pid(), exitCode);
            }
        }
        return new Result(exitCode, List.copyOf(collected.sessions), List.copyOf(collected.errors));
    }

    private static RingSpace space(Map<String, String> variables) {
        String inherited = System.getenv(RING_BYTES);
        return RingSpace.of(variables.getOrDefault(RING_BYTES, inherited));
    }

    private static void tellEnd(Agent agent, long pid, int exitCode)
            throws IOException, InterruptedException {
        boolean isSignal = exitCode > FIRST_SIGNAL && exitCode <= FIRST_SIGNAL + LAST_SIGNAL;
        agent.processEnded(
                pid, isSignal ? null : exitCode, isSignal ? exitCode - FIRST_SIGNAL : null);
        if (!agent.awaitDrained(DRAIN_WAIT)) {
            throw new IOException(
                    "the agent could not send everything within " + DRAIN_WAIT.toSeconds() + " s");
        }
    }

    private static void awaitEnd(RecordedProgram program, RecordRequest request, Runnable watch)
            throws InterruptedException {
        long begunNanos = System.nanoTime();
        boolean wasTold = false;
        while (!program.awaitEnd(LOOK_EVERY)) {
            watch.run();
            Duration ran = Duration.ofNanos(System.nanoTime() - begunNanos);
            if (!wasTold
                    && request.duration().filter(limit -> ran.compareTo(limit) >= 0).isPresent()) {
                program.terminate();
                wasTold = true;
            }
        }
    }

    /** Keeps what the agent tells. */
    private static final class Collected implements AgentListener {
        private final ConcurrentLinkedQueue<SessionSummary> sessions =
                new ConcurrentLinkedQueue<>();
        private final ConcurrentLinkedQueue<String> errors = new ConcurrentLinkedQueue<>();

        @Override
        public void sessionEnded(SessionSummary summary) {
            sessions.add(summary);
        }

        @Override
        public void error(String line) {
            errors.add(line);
        }
    }
}
