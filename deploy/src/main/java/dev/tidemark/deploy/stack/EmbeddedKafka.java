package dev.tidemark.deploy.stack;

import dev.tidemark.deploy.TemporaryFolder;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.MetadataVersion;

/**
 * A real Kafka broker, which is its own controller, in this JVM. It listens on loopback; its log is
 * in a temporary folder and nothing in it expires.
 */
public final class EmbeddedKafka implements AutoCloseable {
    private static final int NODE_ID = 1;
    private static final String CONTROLLER = "CONTROLLER";
    private static final String LOOPBACK = "127.0.0.1";

    private final KafkaRaftServer server;
    private final TemporaryFolder folder;
    private final String bootstrapServers;

    private EmbeddedKafka(KafkaRaftServer server, TemporaryFolder folder, int port) {
        this.server = server;
        this.folder = folder;
        this.bootstrapServers = LOOPBACK + ":" + port;
    }

    /** Starts a broker on this port, 0 for a free one, and returns when it answers. */
    public static EmbeddedKafka start(int wantedPort) throws IOException {
        int port = wantedPort == 0 ? freePort() : wantedPort;
        TemporaryFolder folder = TemporaryFolder.create("kafka");
        try {
            KafkaConfig config = new KafkaConfig(settings(folder.path(), port, freePort()), false);
            format(folder.path());
            KafkaRaftServer server = new KafkaRaftServer(config, Time.SYSTEM);
            server.startup();
            return new EmbeddedKafka(server, folder, port);
        } catch (IOException | RuntimeException e) {
            folder.close();
            throw e;
        }
    }

    /** What a client connects to: {@code HOST:PORT}. */
    public String bootstrapServers() {
        return bootstrapServers;
    }

    @Override
    public void close() {
        server.shutdown();
        server.awaitShutdown();
        folder.close();
    }

    private static Map<String, String> settings(Path logs, int port, int controllerPort) {
        return Map.ofEntries(
                Map.entry("process.roles", "broker,controller"),
                Map.entry("node.id", Integer.toString(NODE_ID)),
                Map.entry(
                        "controller.quorum.voters",
                        NODE_ID + "@" + LOOPBACK + ":" + controllerPort),
                Map.entry(
                        "listeners",
                        "BROKER://%s:%d,CONTROLLER://%s:%d"
                                .formatted(LOOPBACK, port, LOOPBACK, controllerPort)),
                Map.entry("advertised.listeners", "BROKER://" + LOOPBACK + ":" + port),
                Map.entry(
                        "listener.security.protocol.map", "BROKER:PLAINTEXT,CONTROLLER:PLAINTEXT"),
                Map.entry("inter.broker.listener.name", "BROKER"),
                Map.entry("controller.listener.names", CONTROLLER),
                Map.entry("log.dirs", logs.toString()),
                Map.entry("log.retention.ms", "-1"),
                Map.entry("log.cleaner.dedupe.buffer.size", Integer.toString(16 << 20)),
                Map.entry("num.network.threads", "2"),
                Map.entry("num.io.threads", "2"),
                Map.entry("background.threads", "2"),
                Map.entry("auto.create.topics.enable", "false"),
                Map.entry("offsets.topic.num.partitions", "1"),
                Map.entry("offsets.topic.replication.factor", "1"),
                Map.entry("transaction.state.log.num.partitions", "1"),
                Map.entry("transaction.state.log.replication.factor", "1"),
                Map.entry("transaction.state.log.min.isr", "1"),
                Map.entry("group.initial.rebalance.delay.ms", "0"),
                Map.entry("controlled.shutdown.enable", "false"));
    }

    /** Does to the empty folder what {@code kafka-storage format} does. */
    private static void format(Path logs) throws IOException {
        Formatter formatter =
                new Formatter()
                        .setClusterId(Uuid.randomUuid().toString())
                        .setNodeId(NODE_ID)
                        .setDirectories(List.of(logs.toString()))
                        .setMetadataLogDirectory(logs.toString())
                        .setControllerListenerName(CONTROLLER)
                        .setReleaseVersion(MetadataVersion.LATEST_PRODUCTION)
                        .setPrintStream(
                                new PrintStream(
                                        OutputStream.nullOutputStream(),
                                        false,
                                        StandardCharsets.UTF_8));
        try {
            formatter.run();
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException("could not format " + logs + " for a broker", e);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
