package dev.tidemark.jobs;

import dev.tidemark.jobs.wire.DeadLetter;
import dev.tidemark.jobs.wire.SessionRecord;
import dev.tidemark.jobs.wire.WireType;
import dev.tidemark.replay.InboundRecord;
import dev.tidemark.schemas.TraceDecoder;
import dev.tidemark.schemas.TraceFormatException;
import java.util.Objects;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;

/** Finds the session of a record; what is no trace record becomes a dead letter. */
final class HeadReader extends ProcessFunction<InboundRecord, SessionRecord> {
    private static final long serialVersionUID = 1;

    static final OutputTag<DeadLetter> DEAD_LETTERS =
            new OutputTag<>("dead-letters-of-heads", WireType.DEAD_LETTER);

    private final TraceJobOptions options;
    private transient @Nullable TopicSchemaLookup schemas;
    private transient @Nullable TraceDecoder decoder;

    HeadReader(TraceJobOptions options) {
        this.options = options;
    }

    @Override
    public void open(OpenContext context) {
        schemas = new TopicSchemaLookup(options.bootstrapServers(), options.schemasTopic());
        decoder = new TraceDecoder(schemas);
    }

    @Override
    public void processElement(
            InboundRecord record, Context context, Collector<SessionRecord> out) {
        TraceDecoder reader = Objects.requireNonNull(decoder, "open comes first");
        try {
            String sessionId = reader.readEnvelope(record.bytes()).sessionId();
            out.collect(new SessionRecord(sessionId, record));
        } catch (TraceFormatException e) {
            context.output(DEAD_LETTERS, new DeadLetter(record, String.valueOf(e.getMessage())));
        }
    }

    @Override
    public void close() {
        if (schemas != null) {
            schemas.close();
        }
    }
}
