package dev.tidemark.ingest.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.schemas.SchemaCatalog;
import dev.tidemark.schemas.TraceDecoder;
import dev.tidemark.schemas.TraceEncoder;
import dev.tidemark.schemas.TraceSchemas;
import dev.tidemark.schemas.avro.ThreadInfo;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Against a real broker that goes away and comes back. */
@Timeout(180)
final class KafkaSinkTest {
    private static final String SESSION = "01890000-0000-7000-8000-000000000001";
    private static final String OTHER = "01890000-0000-7000-8000-000000000002";
    private static final String TOPIC = "tidemark.trace";

    @TempDir Path folder;

    private final TraceEncoder encoder = new TraceEncoder();
    private final TraceDecoder decoder = new TraceDecoder(new SchemaCatalog());

    @Test
    void keysByTheSessionAndNamesThePayloadAndPublishesTheSchemaFirst() throws Exception {
        try (RestartableBroker broker = broker()) {
            broker.start();
            try (KafkaSink sink = new KafkaSink(broker.servers(), TOPIC)) {
                send(sink, SESSION, 0, 3);
                sink.flush();

                List<ConsumerRecord<String, byte[]>> found = broker.read(TOPIC, 3);
                assertThat(seqs(found, SESSION)).containsExactly(0L, 1L, 2L);
                assertThat(found).allSatisfy(record -> assertThat(record.key()).isEqualTo(SESSION));
                assertThat(
                                new String(
                                        found.get(0).headers().lastHeader("type").value(),
                                        StandardCharsets.UTF_8))
                        .isEqualTo("ThreadInfo");
                List<ConsumerRecord<String, byte[]>> schemas =
                        broker.read(TraceSchemas.SCHEMAS_TOPIC, 1);
                assertThat(schemas.get(0).key())
                        .isEqualTo(TraceSchemas.fingerprintKey(TraceSchemas.CURRENT_FINGERPRINT));
                assertThat(
                                new SchemaCatalog()
                                        .add(
                                                new String(
                                                        schemas.get(0).value(),
                                                        StandardCharsets.UTF_8)))
                        .isEqualTo(TraceSchemas.CURRENT_FINGERPRINT);
            }
        }
    }

    @Test
    void spoolsWhileTheBrokerIsAwayAndResendsInOrderWhenItIsBack() throws Exception {
        Path spool = folder.resolve("spool");
        try (RestartableBroker broker = broker()) {
            broker.start();
            try (KafkaSink sink = new KafkaSink(broker.servers(), TOPIC, spool)) {
                send(sink, SESSION, 0, 100);
                sink.flush();
                broker.stop();
                send(sink, SESSION, 100, 200);
                sink.flush();
                assertThat(sink.trouble()).contains(broker.servers()).contains("spool");
                send(sink, SESSION, 200, 300);
                send(sink, OTHER, 0, 50);
                broker.start();
                awaitDirect(sink);
                send(sink, SESSION, 300, 400);
                sink.flush();

                List<ConsumerRecord<String, byte[]>> found = broker.read(TOPIC, 450);
                assertThat(firstSeen(seqs(found, SESSION))).isEqualTo(range(0, 400));
                assertThat(firstSeen(seqs(found, OTHER))).isEqualTo(range(0, 50));
                assertThat(found)
                        .allSatisfy(
                                record ->
                                        assertThat(decoder.readEnvelope(record.value()).epoch())
                                                .isEqualTo(7));
            }
        }
        assertThat(spooled(spool)).isEmpty();
    }

    @Test
    void sendsWhatADeadSinkLeftInTheSpool() throws Exception {
        Path spool = folder.resolve("spool");
        try (RestartableBroker broker = broker()) {
            try (KafkaSink never = new KafkaSink(broker.servers(), TOPIC, spool)) {
                send(never, SESSION, 0, 120);
            }
            assertThat(spooled(spool)).hasSize(1);
            broker.start();
            try (KafkaSink sink = new KafkaSink(broker.servers(), TOPIC, spool)) {
                awaitDirect(sink);
                assertThat(seqs(broker.read(TOPIC, 120), SESSION)).isEqualTo(range(0, 120));
            }
        }
        assertThat(spooled(spool)).isEmpty();
    }

    @Test
    void saysWhichBrokerDoesNotAnswerWhenThereIsNoSpool() throws Exception {
        try (RestartableBroker broker = broker()) {
            assertThatThrownBy(() -> new KafkaSink(broker.servers(), TOPIC).close())
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(broker.servers())
                    .hasMessageNotContaining("\n");
        }
    }

    private RestartableBroker broker() throws Exception {
        return new RestartableBroker(Files.createDirectory(folder.resolve("logs")));
    }

    private static void awaitDirect(KafkaSink sink) throws InterruptedException {
        while (sink.trouble() != null || !sink.isDirect()) {
            Thread.sleep(50);
        }
    }

    private void send(KafkaSink sink, String session, long from, long to) throws IOException {
        for (long seq = from; seq < to; seq++) {
            sink.send(
                    session,
                    "ThreadInfo",
                    encoder.encode(session, 7, seq, new ThreadInfo((int) seq, "worker")));
        }
    }

    private List<Long> seqs(List<ConsumerRecord<String, byte[]>> records, String session)
            throws IOException {
        List<Long> seqs = new ArrayList<>();
        for (ConsumerRecord<String, byte[]> record : records) {
            if (record.key().equals(session)) {
                seqs.add(decoder.readEnvelope(record.value()).seq());
            }
        }
        return seqs;
    }

    /** What a reader keeps that passes over what it has seen. */
    private static List<Long> firstSeen(List<Long> seqs) {
        List<Long> kept = new ArrayList<>();
        for (long seq : seqs) {
            if (kept.isEmpty() || seq > kept.get(kept.size() - 1)) {
                kept.add(seq);
            }
        }
        return kept;
    }

    private static List<Long> range(long from, long to) {
        return LongStream.range(from, to).boxed().toList();
    }

    private static List<Path> spooled(Path spool) throws IOException {
        try (Stream<Path> files = Files.walk(spool)) {
            return files.filter(file -> file.toString().endsWith(".avro")).toList();
        }
    }
}
