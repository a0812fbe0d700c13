package dev.tidemark.deploy.stack;

import dev.tidemark.deploy.Failure;
import dev.tidemark.schemas.TraceSchemas;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.TopicExistsException;

/** Makes the topics of the stream where they are not there yet. */
public final class TraceTopics {
    private static final int TIMEOUT_MS = 10_000;
    private static final short ONE_COPY = 1;

    private TraceTopics() {}

    /**
     * Makes what is missing of the topics on this broker.
     *
     * @param partitions of the topics of sessions; a session is in one of them
     * @throws IOException when the broker does not answer or refuses
     */
    public static void create(String bootstrapServers, int partitions) throws IOException {
        Map<String, Object> settings =
                Map.of(
                        AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers,
                        AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, TIMEOUT_MS,
                        AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, TIMEOUT_MS);
        try (Admin admin = Admin.create(settings)) {
            for (KafkaFuture<Void> made :
                    admin.createTopics(topics(partitions)).values().values()) {
                await(made);
            }
        } catch (ExecutionException e) {
            throw new IOException(
                    "broker %s: %s".formatted(bootstrapServers, Failure.reason(e)), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while making topics on " + bootstrapServers, e);
        }
    }

    private static List<NewTopic> topics(int partitions) {
        return List.of(
                new NewTopic(TraceSchemas.TRACE_TOPIC, partitions, ONE_COPY),
                new NewTopic(TraceSchemas.BULK_TOPIC, partitions, ONE_COPY),
                new NewTopic(TraceSchemas.DEAD_LETTER_TOPIC, 1, ONE_COPY),
                new NewTopic(TraceSchemas.SCHEMAS_TOPIC, 1, ONE_COPY)
                        .configs(
                                Map.of(
                                        TopicConfig.CLEANUP_POLICY_CONFIG,
                                        TopicConfig.CLEANUP_POLICY_COMPACT)));
    }

    private static void await(KafkaFuture<Void> made)
            throws ExecutionException, InterruptedException {
        try {
            made.get();
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof TopicExistsException)) {
                throw e;
            }
        }
    }
}
