package dev.tidemark.deploy.lake;

import dev.tidemark.deploy.stack.EmbeddedFlink;
import dev.tidemark.deploy.stack.LocalStack;
import dev.tidemark.jobs.TraceJob;
import dev.tidemark.jobs.TraceJobOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Runs the trace job on the local stack, into a lake. */
public final class LakeLoad {
    private static final Duration BOUNDED_CHECKPOINTS = Duration.ofSeconds(10);
    private static final Duration UNBOUNDED_CHECKPOINTS = Duration.ofSeconds(2);

    private LakeLoad() {}

    /** Loads what the topic holds now, and returns when the rows can be queried. */
    public static void run(LocalStack stack, String topic, Path lake, boolean events)
            throws IOException {
        TraceJobOptions options =
                options(stack, lake, events)
                        .withTopics(List.of(topic))
                        .withBounded(true)
                        .withCheckpointInterval(BOUNDED_CHECKPOINTS);
        try {
            stack.flink().run(define(options));
        } finally {
            TraceJob.sweep(options);
        }
    }

    /** Loads what comes from now on, and what the topics hold already, until closed. */
    public static Running start(LocalStack stack, Path lake, boolean events) throws IOException {
        TraceJobOptions options =
                options(stack, lake, events).withCheckpointInterval(UNBOUNDED_CHECKPOINTS);
        EmbeddedFlink flink = stack.flink();
        return new Running(flink, flink.submit(define(options)), options);
    }

    /** A job under way. */
    public static final class Running implements AutoCloseable {
        private final EmbeddedFlink flink;
        private final JobID job;
        private final TraceJobOptions options;

        private Running(EmbeddedFlink flink, JobID job, TraceJobOptions options) {
            this.flink = flink;
            this.job = job;
            this.options = options;
        }

        /** Ends the job with everything that came in the lake. */
        @Override
        public void close() throws IOException {
            try {
                flink.stopWithDrain(job);
            } finally {
                TraceJob.sweep(options);
            }
        }
    }

    private static TraceJobOptions options(LocalStack stack, Path lake, boolean events)
            throws IOException {
        Path folder = Lakes.create(lake).folder();
        return TraceJobOptions.of(
                        stack.bootstrapServers(),
                        folder.toString(),
                        UUID.randomUUID().toString(),
                        ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()))
                .withParallelism(stack.slots())
                .withEvents(events);
    }

    private static StreamExecutionEnvironment define(TraceJobOptions options) {
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.getExecutionEnvironment(new Configuration());
        TraceJob.define(environment, options);
        return environment;
    }
}
