package dev.tidemark.ingest.sink;

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
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.MetadataVersion;
import org.jspecify.annotations.Nullable;

/** A real broker on loopback that can go away and come back with what it had. */
final class RestartableBroker implements AutoCloseable {
    private final int port = freePort();
    private final int controllerPort = freePort();
    private final Path logs;
    private @Nullable KafkaRaftServer server;

    RestartableBroker(Path logs) throws Exception {
        this.logs = logs;
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
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    String servers() {
        return "127.0.0.1:" + port;
    }

    void start() {
        KafkaRaftServer started =
                new KafkaRaftServer(new KafkaConfig(settings(), false), Time.SYSTEM);
        started.startup();
        server = started;
    }

    private Map<String, String> settings() {
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
        settings.put("auto.create.topics.enable", "false");
        settings.put("default.replication.factor", "1");
        settings.put("offsets.topic.num.partitions", "1");
        settings.put("offsets.topic.replication.factor", "1");
        settings.put("controlled.shutdown.enable", "false");
        return settings;
    }

    void stop() {
        KafkaRaftServer running = server;
        if (running != null) {
            running.shutdown();
            running.awaitShutdown();
            server = null;
        }
    }

    /** Everything in a topic, once it is at least so many records. */
    List<ConsumerRecord<String, byte[]>> read(String topic, int atLeast) {
        Map<String, Object> settings = Map.of("bootstrap.servers", servers());
        List<ConsumerRecord<String, byte[]>> found = new ArrayList<>();
        try (KafkaConsumer<String, byte[]> consumer =
                new KafkaConsumer<>(
                        settings, new StringDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> partitions =
                    consumer.partitionsFor(topic).stream()
                            .map(info -> new TopicPartition(topic, info.partition()))
                            .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            long giveUpNs = System.nanoTime() + Duration.ofSeconds(30).toNanos();
            boolean isMore = true;
            while (isMore && System.nanoTime() < giveUpNs) {
                int before = found.size();
                consumer.poll(Duration.ofMillis(500)).forEach(found::add);
                isMore = found.size() < atLeast || found.size() > before;
            }
        }
        return found;
    }

    @Override
    public void close() {
        stop();
    }
}
