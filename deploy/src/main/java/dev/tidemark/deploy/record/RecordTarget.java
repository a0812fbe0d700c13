package dev.tidemark.deploy.record;

import dev.tidemark.deploy.lake.LakeLoad;
import dev.tidemark.deploy.stack.LocalStack;
import dev.tidemark.ingest.sink.KafkaSink;
import dev.tidemark.ingest.sink.RecordingSink;
import dev.tidemark.ingest.sink.TraceSink;
import dev.tidemark.schemas.TraceSchemas;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Where a recording goes: a file, a broker, a lake, or several of them. A lake is written after the
 * program has ended, from a broker of this process, so that Flink does not disturb what is measured.
 */
public final class RecordTarget implements AutoCloseable {
    private final Optional<LocalStack> stack;
    private final Optional<Path> lake;
    private final TraceSink sink;

    private RecordTarget(Optional<LocalStack> stack, Optional<Path> lake, TraceSink sink) {
        this.stack = stack;
        this.lake = lake;
        this.sink = sink;
    }

    /** Opens what is asked for; a broker that is not there or a file that can't be made fails. */
    public static RecordTarget open(
            Optional<Path> recording, Optional<Path> lake, Optional<String> kafka)
            throws IOException {
        Optional<LocalStack> stack =
                lake.isPresent() || kafka.isPresent()
                        ? Optional.of(new LocalStack.Builder().kafka(kafka).start())
                        : Optional.empty();
        List<TraceSink> sinks = new ArrayList<>();
        try {
            if (recording.isPresent()) {
                sinks.add(new RecordingSink(recording.get()));
            }
            if (stack.isPresent()) {
                sinks.add(new KafkaSink(stack.get().bootstrapServers(), TraceSchemas.TRACE_TOPIC));
            }
            return new RecordTarget(stack, lake, new Targets(sinks));
        } catch (IOException | RuntimeException e) {
            new Targets(sinks).close();
            stack.ifPresent(LocalStack::close);
            throw e;
        }
    }

    public TraceSink sink() {
        return sink;
    }

    /** Waits until everything that was sent is where it goes. */
    public void closeSink() throws IOException {
        sink.flush();
        sink.close();
    }

    /** Writes the lake, where one is wanted. */
    public void load(boolean events) throws IOException {
        if (lake.isPresent()) {
            LakeLoad.run(stack.orElseThrow(), TraceSchemas.TRACE_TOPIC, lake.get(), events);
        }
    }

    @Override
    public void close() {
        stack.ifPresent(LocalStack::close);
    }
}
