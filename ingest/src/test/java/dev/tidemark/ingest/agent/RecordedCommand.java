package dev.tidemark.ingest.agent;

import dev.tidemark.ingest.sink.TraceSink;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Runs a program under the real recorder beside an agent in this process. */
final class RecordedCommand {
    private static final Path NATIVE = Path.of("target", "native").toAbsolutePath();
    private static final Duration DRAIN = Duration.ofSeconds(60);

    final List<SessionSummary> ended = Collections.synchronizedList(new ArrayList<>());
    final List<String> errors = Collections.synchronizedList(new ArrayList<>());
    int exitStatus = -1;
    volatile @Nullable Process process;

    /** The recorder's library. */
    static Path library() {
        return NATIVE.resolve("libtidemark.so");
    }

    AgentListener listener() {
        return new AgentListener() {
            @Override
            public void sessionEnded(SessionSummary summary) {
                ended.add(summary);
            }

            @Override
            public void error(String line) {
                errors.add(line);
            }
        };
    }

    /** A folder as the recorder wants it. */
    static Path ringFolder(Path parent) throws IOException {
        return Files.createTempDirectory(
                parent,
                "rings",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }

    static AgentOptions options(Path rings) {
        return AgentOptions.of(rings).withSalt(null).withEndWait(Duration.ofSeconds(2));
    }

    /** A program with the recorder in front of {@code preload}, which may be empty. */
    static ProcessBuilder program(
            Path rings, String preload, Map<String, String> settings, List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
        String libraries = preload.isEmpty() ? library().toString() : library() + ":" + preload;
        builder.environment().put("LD_PRELOAD", libraries);
        builder.environment().put("TIDEMARK_RING_DIR", rings.toString());
        builder.environment().put("TIDEMARK_ON_FULL", "wait");
        builder.environment().putAll(settings);
        return builder;
    }

    /** Runs it to its end. */
    static RecordedCommand run(
            Path rings,
            TraceSink sink,
            String preload,
            Map<String, String> settings,
            List<String> command)
            throws IOException, InterruptedException {
        return new RecordedCommand().runIn(rings, sink, preload, settings, command);
    }

    RecordedCommand runIn(
            Path rings,
            TraceSink sink,
            String preload,
            Map<String, String> settings,
            List<String> command)
            throws IOException, InterruptedException {
        RecordedCommand run = this;
        try (Agent agent = Agent.start(options(rings), sink, run.listener())) {
            Process process = program(rings, preload, settings, command).start();
            run.process = process;
            try {
                if (!process.waitFor(180, TimeUnit.SECONDS)) {
                    throw new IllegalStateException(command + " does not end");
                }
            } finally {
                process.destroyForcibly();
            }
            run.exitStatus = process.exitValue();
            int status = run.exitStatus;
            agent.processEnded(
                    process.pid(),
                    status < 128 ? status : null,
                    status < 128 ? null : status - 128);
            if (!agent.awaitDrained(DRAIN)) {
                throw new IllegalStateException("not drained: " + agent.status());
            }
        }
        return run;
    }
}
