package dev.tidemark.deploy.bench;

import dev.tidemark.ingest.sink.TraceSink;
import dev.tidemark.schemas.SchemaCatalog;
import dev.tidemark.schemas.TraceDecoder;
import dev.tidemark.schemas.TraceEncoder;
import dev.tidemark.schemas.TraceEnvelope;
import dev.tidemark.schemas.avro.SessionStart;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/** Writes a bench's marks into the heads of the sessions that pass; all else stays as it is. */
final class MarkingSink implements TraceSink {
    private final TraceSink sink;
    private final SessionMarks marks;
    private final TraceDecoder decoder = new TraceDecoder(new SchemaCatalog());
    private final TraceEncoder encoder = new TraceEncoder();

    MarkingSink(TraceSink sink, SessionMarks marks) {
        this.sink = sink;
        this.marks = marks;
    }

    @Override
    public void send(String sessionId, String type, byte[] record) throws IOException {
        TraceEnvelope envelope = decoder.readEnvelope(record);
        if (envelope.isEventBlock()
                || !(decoder.readPayload(envelope) instanceof SessionStart start)) {
            sink.send(sessionId, type, record);
            return;
        }
        Map<String, String> labels = new LinkedHashMap<>(start.getLabels());
        labels.putAll(marks.labels());
        SessionStart marked =
                SessionStart.newBuilder(start)
                        .setRunId(marks.runId())
                        .setRound(marks.round())
                        .setArm(marks.arm())
                        .setLabels(labels)
                        .build();
        sink.send(
                sessionId,
                type,
                encoder.encode(sessionId, envelope.epoch(), envelope.seq(), marked));
    }

    @Override
    public void publishSchema(Schema schema) throws IOException {
        sink.publishSchema(schema);
    }

    @Override
    public void flush() throws IOException {
        sink.flush();
    }

    @Override
    public @Nullable String trouble() {
        return sink.trouble();
    }

    /** The sink behind is the caller's to close. */
    @Override
    public void close() {}
}
