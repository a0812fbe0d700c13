package dev.tidemark.ingest.sink;

import dev.tidemark.schemas.TraceSchemas;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** A connected producer of one topic, whose schema the broker knows. */
final class TraceProducer implements Closeable {
    private static final int PARTITIONS = 4;
    private static final int BUFFER_BYTES = 32 << 20;
    private static final int BATCH_BYTES = 512 << 10;
    private static final int MAX_REQUEST_BYTES = 8 << 20;
    private static final int LINGER_MS = 50;
    private static final int REQUEST_MS = 5_000;
    private static final int DELIVERY_MS = 15_000;

    private final String servers;
    private final String topic;
    private final KafkaProducer<String, byte[]> producer;

    private TraceProducer(String servers, String topic, KafkaProducer<String, byte[]> producer) {
        this.servers = servers;
        this.topic = topic;
        this.producer = producer;
    }

    /**
     * Connects: makes topics that are missing and publishes this build's schema.
     *
     * @throws IOException when the broker doesn't answer in time or refuses
     */
    static TraceProducer connect(String servers, String topic, Duration timeout)
            throws IOException {
        try {
            makeTopics(servers, topic, timeout);
            TraceProducer made =
                    new TraceProducer(servers, topic, new KafkaProducer<>(settings(servers)));
            try {
                made.publish(TraceSchemas.CURRENT);
                return made;
            } catch (IOException | RuntimeException e) {
                made.close();
                throw e;
            }
        } catch (KafkaException e) {
            throw failure(servers, e);
        }
    }

    private static void makeTopics(String servers, String topic, Duration timeout)
            throws IOException {
        int millis = (int) timeout.toMillis();
        Map<String, Object> settings =
                Map.of(
                        AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG,
                        servers,
                        AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG,
                        millis,
                        AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
                        millis);
        NewTopic schemas =
                new NewTopic(TraceSchemas.SCHEMAS_TOPIC, Optional.of(1), Optional.empty())
                        .configs(
                                Map.of(
                                        TopicConfig.CLEANUP_POLICY_CONFIG,
                                        TopicConfig.CLEANUP_POLICY_COMPACT));
        NewTopic records = new NewTopic(topic, Optional.of(PARTITIONS), Optional.empty());
        try (Admin admin = Admin.create(settings)) {
            for (KafkaFuture<Void> made :
                    admin.createTopics(List.of(schemas, records)).values().values()) {
                awaitTopic(made, timeout);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while connecting to broker " + servers, e);
        } catch (ExecutionException | TimeoutException e) {
            throw failure(servers, e);
        }
    }

    private static void awaitTopic(KafkaFuture<Void> made, Duration timeout)
            throws ExecutionException, InterruptedException, TimeoutException {
        try {
            made.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof TopicExistsException)) {
                throw e;
            }
        }
    }

    private static Map<String, Object> settings(String servers) {
        Map<String, Object> settings = new HashMap<>();
        settings.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, servers);
        settings.put(ProducerConfig.CLIENT_ID_CONFIG, "tidemark-ingest");
        settings.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, StringSerializer.class);
        settings.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        settings.put(ProducerConfig.ACKS_CONFIG, "all");
        // With more in flight, a partition made just now may refuse the first batch as "not
        // leader",
        // take the second, and then the first never again (OUT_OF_ORDER_SEQUENCE_NUMBER to the
        // end).
        settings.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 1);
        settings.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "zstd");
        settings.put(ProducerConfig.BUFFER_MEMORY_CONFIG, (long) BUFFER_BYTES);
        settings.put(ProducerConfig.BATCH_SIZE_CONFIG, BATCH_BYTES);
        settings.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, MAX_REQUEST_BYTES);
        settings.put(ProducerConfig.LINGER_MS_CONFIG, LINGER_MS);
        settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, REQUEST_MS);
        settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, REQUEST_MS);
        settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, DELIVERY_MS);
        return settings;
    }

    /** Hands a record to the producer; {@code done} is called on its own thread. */
    @SuppressWarnings("FutureReturnValueIgnored") // the callback is told the same
    void send(String sessionId, String type, byte[] record, Callback done) throws IOException {
        ProducerRecord<String, byte[]> message = new ProducerRecord<>(topic, sessionId, record);
        message.headers().add(TraceSchemas.TYPE_HEADER, type.getBytes(StandardCharsets.UTF_8));
        try {
            producer.send(message, done);
        } catch (KafkaException e) {
            throw failure(servers, e);
        }
    }

    /** Makes a schema known, and waits until it is. */
    void publish(Schema schema) throws IOException {
        long fingerprint = SchemaNormalization.parsingFingerprint64(schema);
        ProducerRecord<String, byte[]> message =
                new ProducerRecord<>(
                        TraceSchemas.SCHEMAS_TOPIC,
                        TraceSchemas.fingerprintKey(fingerprint),
                        schema.toString().getBytes(StandardCharsets.UTF_8));
        try {
            producer.send(message).get(DELIVERY_MS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while publishing a schema to " + servers, e);
        } catch (ExecutionException | TimeoutException | KafkaException e) {
            throw failure(servers, e);
        }
    }

    /** Waits until each record was taken or given up, which takes {@link #DELIVERY_MS} at most. */
    void flush() throws IOException {
        try {
            producer.flush();
        } catch (KafkaException e) {
            throw failure(servers, e);
        }
    }

    static IOException failure(String servers, Throwable cause) {
        Throwable reason = cause instanceof ExecutionException ? cause.getCause() : cause;
        String text = reason == null ? cause.toString() : reason.getMessage();
        if (reason instanceof TimeoutException && text == null) {
            text = "it does not answer in time";
        }
        return new IOException("broker %s: %s".formatted(servers, text), cause);
    }

    /** Gives up what was not taken yet. */
    @Override
    public void close() {
        producer.close(Duration.ZERO);
    }
}
