package dev.tidemark.jobs;

import dev.tidemark.replay.Load;
import dev.tidemark.schemas.TraceSchemas;
import java.io.Serializable;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link TraceJob} is told. Begin with {@link #of} and change what differs.
 *
 * @param bootstrapServers the broker, as {@code host:port}, several with commas between
 * @param topics topics of trace records; each must exist
 * @param schemasTopic compacted topic of schemas by fingerprint
 * @param deadLetterTopic topic for records that could not be read; must exist when there are any
 * @param isBounded whether to end with what the topics hold now; sessions without an end are then
 *     lost
 * @param lake root of the lake: a path, or a URI of any file system that Flink has
 * @param isWithEvents whether the table {@code events} is written
 * @param parallelism how many sessions are replayed at once
 * @param submissionId names this submission, and with a session's epoch its load; a restart keeps
 *     it. Letters, digits, {@code _}, {@code -}, dots within
 * @param submittedAtUs when it was submitted, microseconds since 1970 UTC; a restart keeps it
 * @param checkpointFolder where checkpoints go, or null for the cluster's own setting
 * @param checkpointInterval how often; rows become visible as often
 * @param stateBackend {@code hashmap} or {@code rocksdb}, or null for the cluster's own setting
 * @param lostAfter how long a session may be silent, by the job's clock
 * @param cacheBytes heap for live blocks of each of the parallel replays; what is over lies in the
 *     state backend
 */
public record TraceJobOptions(
        String bootstrapServers,
        List<String> topics,
        String schemasTopic,
        String deadLetterTopic,
        boolean isBounded,
        String lake,
        boolean isWithEvents,
        int parallelism,
        String submissionId,
        long submittedAtUs,
        @Nullable String checkpointFolder,
        Duration checkpointInterval,
        @Nullable String stateBackend,
        Duration lostAfter,
        long cacheBytes)
        implements Serializable {

    private static final Duration CHECKPOINT_INTERVAL = Duration.ofSeconds(10);
    private static final Duration LOST_AFTER = Duration.ofMinutes(5);
    private static final long CACHE_BYTES = 256L << 20;

    /** Copies and checks. */
    public TraceJobOptions {
        topics = List.copyOf(topics);
        new Load(submissionId, submittedAtUs);
        if (topics.isEmpty()) {
            throw new IllegalArgumentException("topics is empty: name at least one");
        }
        if (parallelism < 1) {
            throw new IllegalArgumentException("parallelism is " + parallelism + ", below 1");
        }
    }

    /**
     * A job that reads both topics as long as it runs, without events, one session at a time, with
     * the state on the heap.
     */
    public static TraceJobOptions of(
            String bootstrapServers, String lake, String submissionId, long submittedAtUs) {
        return new TraceJobOptions(
                bootstrapServers,
                List.of(TraceSchemas.TRACE_TOPIC, TraceSchemas.BULK_TOPIC),
                TraceSchemas.SCHEMAS_TOPIC,
                TraceSchemas.DEAD_LETTER_TOPIC,
                false,
                lake,
                false,
                1,
                submissionId,
                submittedAtUs,
                null,
                CHECKPOINT_INTERVAL,
                "hashmap",
                LOST_AFTER,
                CACHE_BYTES);
    }

    Load load() {
        return new Load(submissionId, submittedAtUs);
    }

    /** Reads these topics. */
    public TraceJobOptions withTopics(List<String> topics) {
        return new TraceJobOptions(
                bootstrapServers,
                topics,
                schemasTopic,
                deadLetterTopic,
                isBounded,
                lake,
                isWithEvents,
                parallelism,
                submissionId,
                submittedAtUs,
                checkpointFolder,
                checkpointInterval,
                stateBackend,
                lostAfter,
                cacheBytes);
    }

    /** Ends, or not, with what the topics hold now. */
    public TraceJobOptions withBounded(boolean isBounded) {
        return new TraceJobOptions(
                bootstrapServers,
                topics,
                schemasTopic,
                deadLetterTopic,
                isBounded,
                lake,
                isWithEvents,
                parallelism,
                submissionId,
                submittedAtUs,
                checkpointFolder,
                checkpointInterval,
                stateBackend,
                lostAfter,
                cacheBytes);
    }

    /** Writes {@code events}, or not. */
    public TraceJobOptions withEvents(boolean isWithEvents) {
        return new TraceJobOptions(
                bootstrapServers,
                topics,
                schemasTopic,
                deadLetterTopic,
                isBounded,
                lake,
                isWithEvents,
                parallelism,
                submissionId,
                submittedAtUs,
                checkpointFolder,
                checkpointInterval,
                stateBackend,
                lostAfter,
                cacheBytes);
    }

    /** Replays so many sessions at once. */
    public TraceJobOptions withParallelism(int parallelism) {
        return new TraceJobOptions(
                bootstrapServers,
                topics,
                schemasTopic,
                deadLetterTopic,
                isBounded,
                lake,
                isWithEvents,
                parallelism,
                submissionId,
                submittedAtUs,
                checkpointFolder,
                checkpointInterval,
                stateBackend,
                lostAfter,
                cacheBytes);
    }

    /** Puts checkpoints there. */
    public TraceJobOptions withCheckpointFolder(@Nullable String checkpointFolder) {
        return new TraceJobOptions(
                bootstrapServers,
                topics,
                schemasTopic,
                deadLetterTopic,
                isBounded,
                lake,
                isWithEvents,
                parallelism,
                submissionId,
                submittedAtUs,
                checkpointFolder,
                checkpointInterval,
                stateBackend,
                lostAfter,
                cacheBytes);
    }

    /** Takes a checkpoint so often. */
    public TraceJobOptions withCheckpointInterval(Duration checkpointInterval) {
        return new TraceJobOptions(
                bootstrapServers,
                topics,
                schemasTopic,
                deadLetterTopic,
                isBounded,
                lake,
                isWithEvents,
                parallelism,
                submissionId,
                submittedAtUs,
                checkpointFolder,
                checkpointInterval,
                stateBackend,
                lostAfter,
                cacheBytes);
    }

    /** Keeps state there. */
    public TraceJobOptions withStateBackend(@Nullable String stateBackend) {
        return new TraceJobOptions(
                bootstrapServers,
                topics,
                schemasTopic,
                deadLetterTopic,
                isBounded,
                lake,
                isWithEvents,
                parallelism,
                submissionId,
                submittedAtUs,
                checkpointFolder,
                checkpointInterval,
                stateBackend,
                lostAfter,
                cacheBytes);
    }

    /** Gives up on a session after such a silence. */
    public TraceJobOptions withLostAfter(Duration lostAfter) {
        return new TraceJobOptions(
                bootstrapServers,
                topics,
                schemasTopic,
                deadLetterTopic,
                isBounded,
                lake,
                isWithEvents,
                parallelism,
                submissionId,
                submittedAtUs,
                checkpointFolder,
                checkpointInterval,
                stateBackend,
                lostAfter,
                cacheBytes);
    }

    /** Holds so much of live blocks on the heap. */
    public TraceJobOptions withCacheBytes(long cacheBytes) {
        return new TraceJobOptions(
                bootstrapServers,
                topics,
                schemasTopic,
                deadLetterTopic,
                isBounded,
                lake,
                isWithEvents,
                parallelism,
                submissionId,
                submittedAtUs,
                checkpointFolder,
                checkpointInterval,
                stateBackend,
                lostAfter,
                cacheBytes);
    }
}
