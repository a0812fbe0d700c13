package dev.tidemark.jobs;

import dev.tidemark.schemas.TraceSchemas;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.MetadataVersion;

/** A real broker in this JVM, on loopback, with the stream's topics. */
public final class TestBroker implements AutoCloseable {
    private static final int PARTITIONS = 4;

    private final KafkaRaftServer server;
    private final String bootstrapServers;
    private final Admin admin;
    private final KafkaProducer<byte[], byte[]> producer;

    public TestBroker(Path logs) throws Exception {
        int port = freePort();
        int controllerPort = freePort();
        bootstrapServers = "127.0.0.1:" + port;
        KafkaConfig config = new KafkaConfig(settings(logs, port, controllerPort), false);
        new Formatter()
                .setClusterId(Uuid.randomUuid().toString())
                .setNodeId(1)
                .setDirectories(List.of(logs.toString()))
                .setMetadataLogDirectory(logs.toString())
                .setControllerListenerName("CONTROLLER")
                .setReleaseVersion(MetadataVersion.LATEST_PRODUCTION)
                .setPrintStream(
                        new PrintStream(
                                OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8))
                .run();
        server = new KafkaRaftServer(config, Time.SYSTEM);
        server.startup();
        admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers));
        producer =
                new KafkaProducer<>(
                        Map.of(
                                "bootstrap.servers",
                                bootstrapServers,
                                "max.request.size",
                                16 << 20,
                                "linger.ms",
                                5,
                                // A partition made just now may refuse the first batch as "not
                                // leader" and take the second, and then the first never again.
                                "max.in.flight.requests.per.connection",
                                1),
                        new ByteArraySerializer(),
                        new ByteArraySerializer());
        createTopic(TraceSchemas.DEAD_LETTER_TOPIC, 1);
        createTopic(TraceSchemas.SCHEMAS_TOPIC, 1);
    }

    private static Map<String, String> settings(Path logs, int port, int controllerPort) {
        Map<String, String> settings = new HashMap<>();
        settings.put("process.roles", "broker,controller");
        settings.put("node.id", "1");
        settings.put("controller.quorum.voters", "1@127.0.0.1:" + controllerPort);
        settings.put(
                "listeners",
                "BROKER://127.0.0.1:" + port + ",CONTROLLER://127.0.0.1:" + controllerPort);
        settings.put("advertised.listeners", "BROKER://127.0.0.1:" + port);
        settings.put("listener.security.protocol.map", "BROKER:PLAINTEXT,CONTROLLER:PLAINTEXT");
        settings.put("inter.broker.listener.name", "BROKER");
        settings.put("controller.listener.names", "CONTROLLER");
        settings.put("log.dirs", logs.toString());
        settings.put("log.cleaner.dedupe.buffer.size", Integer.toString(16 << 20));
        settings.put("message.max.bytes", Integer.toString(16 << 20));
        settings.put("auto.create.topics.enable", "false");
        settings.put("offsets.topic.num.partitions", "1");
        settings.put("offsets.topic.replication.factor", "1");
        settings.put("group.initial.rebalance.delay.ms", "0");
        settings.put("controlled.shutdown.enable", "false");
        return settings;
    }

    private static int freePort() throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    public String bootstrapServers() {
        return bootstrapServers;
    }

    /** Makes a topic of four partitions. */
    public void createTopic(String topic) throws Exception {
        createTopic(topic, PARTITIONS);
    }

    private void createTopic(String topic, int partitions) throws Exception {
        admin.createTopics(List.of(new NewTopic(topic, partitions, (short) 1))).all().get();
        while (producer.partitionsFor(topic).stream()
                .anyMatch(partition -> partition.leader() == null)) {
            Thread.sleep(20);
        }
    }

    /** Sends records to a topic, with the session's id as the key, and waits for them. */
    public void send(String topic, String sessionId, List<byte[]> records) throws Exception {
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        for (byte[] record : records) {
            sent.add(
                    producer.send(
                            new ProducerRecord<>(
                                    topic, sessionId.getBytes(StandardCharsets.UTF_8), record)));
        }
        for (Future<RecordMetadata> one : sent) {
            one.get();
        }
    }

    /** Everything that a topic of one partition holds. */
    public List<ConsumerRecord<byte[], byte[]>> read(String topic) {
        List<ConsumerRecord<byte[], byte[]>> found = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(
                        Map.of("bootstrap.servers", bootstrapServers),
                        new ByteArrayDeserializer(),
                        new ByteArrayDeserializer())) {
            TopicPartition partition = new TopicPartition(topic, 0);
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long end = consumer.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
            while (consumer.position(partition) < end) {
                consumer.poll(Duration.ofMillis(100)).forEach(found::add);
            }
        }
        return found;
    }

    @Override
    public void close() {
        producer.close();
        admin.close();
        server.shutdown();
        server.awaitShutdown();
    }
}
