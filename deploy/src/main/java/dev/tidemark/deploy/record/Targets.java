package dev.tidemark.deploy.record;

import dev.tidemark.ingest.sink.TraceSink;
import java.io.IOException;
import java.util.List;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/** Several sinks as one: each gets every record, in the same order. */
public final class Targets implements TraceSink {
    private final List<TraceSink> sinks;

    public Targets(List<TraceSink> sinks) {
        this.sinks = List.copyOf(sinks);
    }

    @Override
    public void send(String sessionId, String type, byte[] record) throws IOException {
        for (TraceSink sink : sinks) {
            sink.send(sessionId, type, record);
        }
    }

    @Override
    public void publishSchema(Schema schema) throws IOException {
        for (TraceSink sink : sinks) {
            sink.publishSchema(schema);
        }
    }

    @Override
    public void flush() throws IOException {
        for (TraceSink sink : sinks) {
            sink.flush();
        }
    }

    @Override
    public @Nullable String trouble() {
        for (TraceSink sink : sinks) {
            String trouble = sink.trouble();
            if (trouble != null) {
                return trouble;
            }
        }
        return null;
    }

    /** Closes all of them, also when one fails. */
    @Override
    public void close() throws IOException {
        IOException failure = null;
        for (TraceSink sink : sinks) {
            try {
                sink.close();
            } catch (IOException e) {
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
