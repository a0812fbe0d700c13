package dev.tidemark.deploy.bench;

import dev.tidemark.deploy.record.RecordOptions;
import dev.tidemark.deploy.record.RecordRequest;
import dev.tidemark.deploy.record.RecordRun;
import dev.tidemark.ingest.agent.SessionSummary;
import dev.tidemark.ingest.sink.RecordingSink;
import dev.tidemark.schemas.avro.EndReason;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Live sessions of a program, recorded under one arm after the other. A session in which events
 * were dropped, or whose program failed otherwise than by being told to end, voids its round.
 */
public final class LiveSessions implements SessionRunner {
    /** The kind of its rounds. */
    public static final String KIND = "live";

    private static final int TERMINATED = 128 + 15;
    private static final double NANOS_PER_SECOND = 1e9;

    private final List<String> command;
    private final RecordOptions options;
    private final Optional<Duration> duration;
    private final Path output;

    /**
     * Of this program.
     *
     * @param options how it is recorded; its arm is set anew for each session
     * @param duration after which it is told to end
     * @param output gets what it says
     */
    public LiveSessions(
            List<String> command, RecordOptions options, Optional<Duration> duration, Path output) {
        this.command = List.copyOf(command);
        this.options = options;
        this.duration = duration;
        this.output = output;
    }

    @Override
    public SessionOutcome run(SessionTask task, Path recording)
            throws IOException, InterruptedException {
        options.setArm(task.arm().arm());
        RecordRequest request =
                new RecordRequest(command, options, Map.of(), duration, Optional.of(output));
        long begun = System.nanoTime();
        RecordRun.Result result;
        try (RecordingSink sink = new RecordingSink(recording)) {
            result = RecordRun.run(request, sink, status -> {});
            sink.flush();
        }
        double seconds = (System.nanoTime() - begun) / NANOS_PER_SECOND;
        List<SessionSummary> sessions =
                result.sessions().stream().filter(one -> one.reason() != EndReason.EXEC).toList();
        if (sessions.size() != 1) {
            throw new IOException(
                    "%s: %d sessions were recorded of one program, expected 1 (%s)"
                            .formatted(command.get(0), sessions.size(), said(result)));
        }
        return new SessionOutcome(
                sessions.get(0).sessionId(), seconds, fault(result, sessions.get(0)), null);
    }

    private String said(RecordRun.Result result) {
        return result.errors().isEmpty()
                ? "its exit code was %d, what it said is in %s".formatted(result.exitCode(), output)
                : result.errors().get(0);
    }

    private @Nullable String fault(RecordRun.Result result, SessionSummary session) {
        boolean wasTold = duration.isPresent() && result.exitCode() == TERMINATED;
        if (result.exitCode() != 0 && !wasTold) {
            return "the program ended with code %d, see %s".formatted(result.exitCode(), output);
        }
        return session.droppedEvents() > 0
                ? "%,d events were dropped".formatted(session.droppedEvents())
                : null;
    }
}
