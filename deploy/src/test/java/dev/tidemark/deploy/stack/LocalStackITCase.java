package dev.tidemark.deploy.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.deploy.Failure;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A real broker and a real cluster in this JVM, once for all cases. */
class LocalStackITCase {
    private static final Queue<String> SEEN = new ConcurrentLinkedQueue<>();

    @SuppressWarnings("NullAway.Init")
    private static LocalStack stack;

    @BeforeAll
    static void start() throws IOException {
        stack = new LocalStack.Builder().slots(2).start();
    }

    @AfterAll
    static void stop() {
        stack.close();
    }

    @Test
    void runsABoundedJobOverWhatTheBrokerHolds() throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", stack.bootstrapServers()))) {
            admin.createTopics(List.of(new NewTopic("words", 2, (short) 1))).all().get();
        }
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(
                        Map.of("bootstrap.servers", stack.bootstrapServers()),
                        new ByteArraySerializer(),
                        new ByteArraySerializer())) {
            for (String word : List.of("neap", "spring", "ebb")) {
                producer.send(new ProducerRecord<>("words", word.getBytes(StandardCharsets.UTF_8)))
                        .get();
            }
        }
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.getExecutionEnvironment();
        environment.enableCheckpointing(1_000);
        environment
                .fromSource(
                        KafkaSource.<String>builder()
                                .setBootstrapServers(stack.bootstrapServers())
                                .setTopics("words")
                                .setStartingOffsets(OffsetsInitializer.earliest())
                                .setBounded(OffsetsInitializer.latest())
                                .setValueOnlyDeserializer(new SimpleStringSchema())
                                .build(),
                        WatermarkStrategy.noWatermarks(),
                        "words")
                .map(
                        word -> {
                            SEEN.add(word);
                            return word;
                        })
                .sinkTo(new DiscardingSink<>());

        stack.flink().run(environment);

        assertThat(SEEN).containsExactlyInAnyOrder("neap", "spring", "ebb");
    }

    @Test
    void hasTheTopicsOfTheStreamAndMakesThemOnce() throws Exception {
        TraceTopics.create(stack.bootstrapServers(), 5);
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", stack.bootstrapServers()))) {
            assertThat(admin.listTopics().names().get())
                    .contains(
                            "tidemark.trace",
                            "tidemark.bulk",
                            "tidemark.schemas",
                            "tidemark.dead-letter");
        }
    }

    @Test
    void anotherBrokerThatIsNotThereIsBadInput() {
        assertThatThrownBy(() -> new LocalStack.Builder().kafka(Optional.of("127.0.0.1:1")).start())
                .isInstanceOf(Failure.class)
                .hasMessageStartingWith("broker 127.0.0.1:1: ");
    }

    @Test
    void saysWhyAJobFailed() {
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.getExecutionEnvironment();
        environment
                .fromSequence(1, 3)
                .map(
                        number -> {
                            if (number == 2) {
                                throw new IllegalStateException("no twos here");
                            }
                            return number;
                        })
                .sinkTo(new DiscardingSink<>());

        assertThatThrownBy(() -> stack.flink().run(environment))
                .hasMessage("the job failed: no twos here");
    }

    @Test
    void servesTheWebPagesOnLoopback() throws Exception {
        URI address = stack.flink().address();
        assertThat(address.getHost()).isEqualTo("127.0.0.1");

        String page =
                HttpClient.newHttpClient()
                        .send(
                                HttpRequest.newBuilder(address.resolve("/jobs/overview"))
                                        .timeout(Duration.ofSeconds(20))
                                        .build(),
                                BodyHandlers.ofString())
                        .body();

        assertThat(page).contains("\"jobs\"");
    }

    @Test
    void aSecondClusterHasItsOwnAddress() throws IOException {
        try (EmbeddedFlink other = EmbeddedFlink.start(1, 0)) {
            assertThat(other.address()).isNotEqualTo(stack.flink().address());
        }
    }
}
