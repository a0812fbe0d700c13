package dev.tidemark.deploy.bench;

import dev.tidemark.deploy.record.RecordTarget;
import dev.tidemark.ingest.recording.RecordingIngest;
import dev.tidemark.schemas.TraceSchemas;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Sends sessions through the chain that live ones take: to a broker and Flink of this process and
 * so into a lake, or to another broker. Both of this process are started for it and ended again, so
 * that nothing of them runs while a session is measured.
 */
public final class StreamedSessions implements SessionStore {
    private final Optional<Path> lake;
    private final Optional<String> kafka;

    /** One of the two is given. */
    public StreamedSessions(Optional<Path> lake, Optional<String> kafka) {
        this.lake = lake;
        this.kafka = kafka;
    }

    @Override
    public void load(Map<Path, SessionMarks> sessions) throws IOException {
        try (RecordTarget target =
                RecordTarget.open(Optional.empty(), lake, kafka, TraceSchemas.BULK_TOPIC)) {
            target.startFlink();
            for (Map.Entry<Path, SessionMarks> session : sessions.entrySet()) {
                MarkingSink sink = new MarkingSink(target.sink(), session.getValue());
                RecordingIngest.Result result =
                        RecordingIngest.send(List.of(session.getKey()), sink, records -> {});
                if (result.damages() > 0) {
                    throw new IOException("a session's recording is damaged: " + result.errors());
                }
            }
            target.closeSink();
            target.load(false);
        }
    }
}
