package dev.tidemark.deploy.lake;

import dev.tidemark.deploy.ExitCode;
import dev.tidemark.deploy.Failure;
import dev.tidemark.deploy.Installation;
import dev.tidemark.jobs.TraceJob;
import dev.tidemark.jobs.TraceJobOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * The trace job on a cluster of its own.
 *
 * @param flink the cluster's REST address, {@code HOST:PORT}
 * @param kafka the broker, as the cluster reaches it
 * @param lake a folder or a URI that the task managers can write
 * @param parallelism how many sessions are replayed at once
 * @param stateBackend {@code rocksdb} or {@code hashmap}
 * @param bounded whether it ends with what the topics hold now
 * @param events whether there is a row for each event
 */
public record ClusterJob(
        String flink,
        String kafka,
        String lake,
        int parallelism,
        String stateBackend,
        boolean bounded,
        boolean events) {
    /** What a cluster has not by itself: our own code, the connector, and what reads and writes. */
    private static final Pattern SHIPPED =
            Pattern.compile(
                    "(tidemark-(schemas|flink-jobs)|flink-connector-(kafka|base)|kafka-clients|avro-|parquet-"
                            + "|jackson-|zstd-jni|lz4-java|snappy-java|aircompressor|agrona|fastutil|HdrHistogram"
                            + "|commons-compress|commons-io|jspecify).*\\.jar");

    private static final String CAUSE = "Caused by: ";

    /** Submits the job and returns its id; it runs on. */
    public String submit() throws IOException {
        int colon = flink.lastIndexOf(':');
        if (colon <= 0 || !flink.substring(colon + 1).matches("\\d{1,5}")) {
            throw Failure.wrongUsage("--flink '" + flink + "': expected HOST:PORT");
        }
        String host = flink.substring(0, colon);
        int port = Integer.parseInt(flink.substring(colon + 1));
        try {
            StreamExecutionEnvironment environment =
                    StreamExecutionEnvironment.createRemoteEnvironment(
                            host, port, new Configuration(), jars());
            TraceJob.define(environment, options());
            return environment.executeAsync().getJobID().toHexString();
        } catch (Exception e) {
            throw new Failure(ExitCode.BAD_INPUT, "Flink at " + flink + ": " + serversReason(e), e);
        }
    }

    /** The cluster sends its stack trace as text: what stands behind its last cause. */
    private static String serversReason(Exception e) {
        Throwable root = e;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        String text = String.valueOf(root.getMessage());
        int cause = text.lastIndexOf(CAUSE);
        return cause < 0
                ? Failure.reason(e)
                : text.substring(cause + CAUSE.length()).lines().findFirst().orElse("");
    }

    private TraceJobOptions options() {
        return TraceJobOptions.of(
                        kafka,
                        lake.contains(":")
                                ? lake
                                : Path.of(lake).toAbsolutePath().toUri().toString(),
                        UUID.randomUUID().toString(),
                        ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()))
                .withParallelism(parallelism)
                .withStateBackend(stateBackend)
                .withBounded(bounded)
                .withEvents(events);
    }

    private static String[] jars() throws IOException {
        Path folder = Installation.root().resolve("deploy/target/lib");
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> SHIPPED.matcher(file.getFileName().toString()).matches())
                    .map(Path::toString)
                    .sorted()
                    .toArray(String[]::new);
        }
    }
}
