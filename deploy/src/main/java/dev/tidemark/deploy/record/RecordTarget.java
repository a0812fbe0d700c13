package dev.tidemark.deploy.record;

import dev.tidemark.deploy.lake.LakeLoad;
import dev.tidemark.deploy.lake.Lakes;
import dev.tidemark.deploy.stack.LocalStack;
import dev.tidemark.ingest.sink.KafkaSink;
import dev.tidemark.ingest.sink.RecordingSink;
import dev.tidemark.ingest.sink.TraceSink;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Where a recording goes: a file, a broker, a lake, or several of them. A lake is written after the
 * program has ended, from a broker of this process, so that Flink does not disturb what is
 * measured.
 */
public final class RecordTarget implements AutoCloseable {
    private final Optional<LocalStack> stack;
    private final Optional<Path> lake;
    private final String topic;
    private final TraceSink sink;

    private RecordTarget(
            Optional<LocalStack> stack, Optional<Path> lake, String topic, TraceSink sink) {
        this.stack = stack;
        this.lake = lake;
        this.topic = topic;
        this.sink = sink;
    }

    /**
     * Opens what is asked for; a broker that is not there or a file that can't be made fails.
     *
     * @param recording a file to write
     * @param lake a lake to write
     * @param kafka a broker to send to
     * @param topic of either broker
     */
    public static RecordTarget open(
            Optional<Path> recording, Optional<Path> lake, Optional<String> kafka, String topic)
            throws IOException {
        if (lake.isPresent()) {
            Lakes.create(lake.get());
        }
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
                sinks.add(new KafkaSink(stack.get().bootstrapServers(), topic));
            }
            return new RecordTarget(stack, lake, topic, new Targets(sinks));
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

    /** Lets Flink start already, where a lake is wanted. */
    public void startFlink() {
        if (lake.isPresent()) {
            stack.ifPresent(LocalStack::startFlink);
        }
    }

    /** Writes the lake, where one is wanted. */
    public void load(boolean events) throws IOException {
        if (lake.isPresent()) {
            LakeLoad.run(stack.orElseThrow(), topic, lake.get(), events);
        }
    }

    @Override
    public void close() {
        stack.ifPresent(LocalStack::close);
    }
}
