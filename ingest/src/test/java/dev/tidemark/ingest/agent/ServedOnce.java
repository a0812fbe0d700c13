package dev.tidemark.ingest.agent;

import dev.tidemark.ingest.sink.TraceSink;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.avro.Schema;

/**
 * What became of a folder of files of dead processes.
 *
 * @param errors lines told
 * @param ended sessions
 */
public record ServedOnce(List<String> errors, int ended) {

    /** Of what a damaged file says there may be more than fits. */
    private static final class Discard implements TraceSink {
        @Override
        public void send(String sessionId, String type, byte[] record) {}

        @Override
        public void publishSchema(Schema schema) {}

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    /** Serves the folder until every file has become a session or an error. */
    public static ServedOnce serve(Path folder) throws Exception {
        RecordedCommand told = new RecordedCommand();
        AgentOptions options =
                AgentOptions.of(folder).withSalt(null).withEndWait(Duration.ofNanos(1));
        try (Agent agent = Agent.start(options, new Discard(), told.listener())) {
            while (told.ended.isEmpty() && told.errors.isEmpty()) {
                if (!agent.awaitDrained(Duration.ofSeconds(20))) {
                    throw new IllegalStateException("hangs: " + agent.status());
                }
            }
            Throwable failure = agent.failure();
            if (failure != null) {
                throw new IllegalStateException("the agent stopped", failure);
            }
        }
        return new ServedOnce(List.copyOf(told.errors), told.ended.size());
    }
}
