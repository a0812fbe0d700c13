package dev.tidemark.jobs;

import dev.tidemark.schemas.SchemaCatalog;
import dev.tidemark.schemas.SchemaLookup;
import dev.tidemark.schemas.TraceFormatException;
import java.io.Closeable;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Schemas from the compacted topic. It is read when a fingerprint comes that is not known, and then
 * to its end and no further: a schema is written before its first use. When the broker doesn't
 * answer within {@link #MAX_WAIT}, the schema counts as unknown. One thread.
 */
final class TopicSchemaLookup implements SchemaLookup, Closeable {
    static final Duration MAX_WAIT = Duration.ofSeconds(5);

    private static final Logger LOG = LoggerFactory.getLogger(TopicSchemaLookup.class);
    private static final Duration POLL = Duration.ofMillis(100);

    private final String bootstrapServers;
    private final String topic;
    private final SchemaCatalog catalog = new SchemaCatalog();
    private @Nullable KafkaConsumer<byte[], byte[]> consumer;

    TopicSchemaLookup(String bootstrapServers, String topic) {
        this.bootstrapServers = bootstrapServers;
        this.topic = topic;
    }

    @Override
    public @Nullable Schema find(long fingerprint) {
        Schema known = catalog.find(fingerprint);
        if (known != null) {
            return known;
        }
        try {
            readToEnd();
        } catch (KafkaException e) {
            LOG.warn("topic {} at {} was not read: {}", topic, bootstrapServers, e.getMessage());
        }
        return catalog.find(fingerprint);
    }

    private void readToEnd() {
        KafkaConsumer<byte[], byte[]> reader = consumer == null ? open() : consumer;
        consumer = reader;
        if (reader.assignment().isEmpty()) {
            assign(reader);
        }
        Map<TopicPartition, Long> ends = reader.endOffsets(reader.assignment(), MAX_WAIT);
        long deadlineNs = System.nanoTime() + MAX_WAIT.toNanos();
        while (ends.entrySet().stream()
                .anyMatch(end -> reader.position(end.getKey(), MAX_WAIT) < end.getValue())) {
            if (System.nanoTime() > deadlineNs) {
                LOG.warn("topic {} at {} was not read to its end", topic, bootstrapServers);
                return;
            }
            for (ConsumerRecord<byte[], byte[]> record : reader.poll(POLL)) {
                learn(record);
            }
        }
    }

    private void assign(KafkaConsumer<byte[], byte[]> reader) {
        List<TopicPartition> partitions =
                reader.partitionsFor(topic, MAX_WAIT).stream().map(this::partition).toList();
        reader.assign(partitions);
        reader.seekToBeginning(partitions);
    }

    private TopicPartition partition(PartitionInfo info) {
        return new TopicPartition(topic, info.partition());
    }

    private void learn(ConsumerRecord<byte[], byte[]> record) {
        if (record.value() == null) {
            return;
        }
        try {
            catalog.add(new String(record.value(), StandardCharsets.UTF_8));
        } catch (TraceFormatException e) {
            LOG.warn(
                    "topic {} partition {} offset {}: {}",
                    topic,
                    record.partition(),
                    record.offset(),
                    e.getMessage());
        }
    }

    private KafkaConsumer<byte[], byte[]> open() {
        Map<String, Object> settings =
                Map.of(
                        ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                        bootstrapServers,
                        ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                        false,
                        ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG,
                        false,
                        ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
                        (int) MAX_WAIT.toMillis());
        return new KafkaConsumer<>(
                settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    @Override
    public void close() {
        if (consumer != null) {
            consumer.close();
        }
    }
}
