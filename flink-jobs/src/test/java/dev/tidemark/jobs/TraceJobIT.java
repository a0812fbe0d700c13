package dev.tidemark.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.jobs.wire.WireType;
import dev.tidemark.replay.RandomEvents;
import dev.tidemark.replay.TestEvent;
import dev.tidemark.replay.TestSession;
import dev.tidemark.schemas.TraceSchemas;
import dev.tidemark.schemas.lake.LakeTables;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.WebOptions;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(300)
class TraceJobIT {
    private static final List<String> SESSIONS =
            List.of(
                    "01890000-0000-7000-8000-00000000000a",
                    "01890000-0000-7000-8000-00000000000b",
                    "01890000-0000-7000-8000-00000000000c");

    /** Of the first and the second pass. */
    private static final List<String> LOADS = List.of("it-0", "it-1");

    @TempDir static Path folder;
    @TempDir Path lakeFolder;
    private static TestBroker broker;
    private static MiniCluster cluster;

    @BeforeAll
    static void start() throws Exception {
        broker = new TestBroker(folder.resolve("kafka"));
        Configuration configuration = new Configuration();
        configuration.set(WebOptions.CHECKPOINTS_HISTORY_SIZE, 1000);
        configuration.set(RestOptions.BIND_PORT, "0");
        cluster =
                new MiniCluster(
                        new MiniClusterConfiguration.Builder()
                                .setConfiguration(configuration)
                                .setNumTaskManagers(1)
                                .setNumSlotsPerTaskManager(4)
                                .build());
        cluster.start();
    }

    @AfterAll
    static void stop() throws Exception {
        cluster.close();
        broker.close();
    }

    private TraceJobOptions options(String topic, Path lake, int parallelism) {
        return TraceJobOptions.of(
                        broker.bootstrapServers(), lake.toString(), "it", TestSession.STARTED_AT_US)
                .withTopics(List.of(topic))
                .withBounded(true)
                .withParallelism(parallelism)
                .withEvents(true)
                .withCheckpointFolder(folder.resolve("checkpoints").toUri().toString());
    }

    private static void run(TraceJobOptions options) throws Exception {
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.getExecutionEnvironment();
        TraceJob.define(environment, options);
        await(environment);
    }

    private static JobID await(StreamExecutionEnvironment environment) throws Exception {
        JobID job = cluster.submitJob(environment.getStreamGraph()).get().getJobID();
        cluster.requestJobResult(job).get().toJobExecutionResult(TraceJobIT.class.getClassLoader());
        return job;
    }

    private static Map<String, List<String>> tables(Path lake) throws Exception {
        Map<String, List<String>> tables = new TreeMap<>();
        for (var table : LakeTables.ALL) {
            tables.put(table.name(), new TestLake(lake).rows(table.name()));
        }
        return tables;
    }

    @Test
    void yieldsTheSameRowsAtAnyParallelismFromShuffledAndRepeatedRecords() throws Exception {
        broker.createTopic("in-order");
        broker.createTopic("shuffled");
        Random random = new Random(7);
        for (String session : SESSIONS) {
            List<TestEvent> events = RandomEvents.of(session.hashCode(), 20_000);
            List<byte[]> records = TestSession.whole(session, events, 500);
            broker.send("in-order", session, records);
            broker.send("shuffled", session, shuffledWithRepeats(records, random));
        }

        run(options("in-order", lakeFolder.resolve("1"), 1));
        run(options("shuffled", lakeFolder.resolve("2"), 2));
        run(options("shuffled", lakeFolder.resolve("4"), 4));

        Map<String, List<String>> expected = tables(lakeFolder.resolve("1"));
        assertThat(expected.get("sessions")).hasSize(3);
        assertThat(expected.get("events")).hasSizeGreaterThan(50_000);
        assertThat(tables(lakeFolder.resolve("2"))).isEqualTo(expected);
        assertThat(tables(lakeFolder.resolve("4"))).isEqualTo(expected);
        assertThat(new TestLake(lakeFolder.resolve("4")).unfinished()).isEmpty();
        assertThat(new TestLake(lakeFolder.resolve("1")).files("frames")).hasSize(1);
    }

    /** Within the hold-back: no record moves by more than 30 places. */
    private static List<byte[]> shuffledWithRepeats(List<byte[]> records, Random random) {
        List<byte[]> shuffled = new ArrayList<>(records);
        for (int i = 0; i < shuffled.size(); i += 30) {
            Collections.shuffle(shuffled.subList(i, Math.min(shuffled.size(), i + 30)), random);
        }
        for (int i = 0; i < 20; i++) {
            int at = random.nextInt(shuffled.size());
            shuffled.add(Math.min(shuffled.size(), at + random.nextInt(40)), shuffled.get(at));
        }
        return shuffled;
    }

    /** The records of a pass in which two never came. */
    private static List<byte[]> withHoles(String session, long epoch) {
        List<TestEvent> events = RandomEvents.of(session.hashCode(), 20_000);
        List<byte[]> records = TestSession.whole(session, epoch, events, 100);
        records.remove(170);
        records.remove(40);
        return records;
    }

    private Map<String, List<String>> rowsOfACalmRun() throws Exception {
        String topic = "calm-" + lakeFolder.getFileName();
        broker.createTopic(topic);
        for (String session : SESSIONS) {
            broker.send(topic, session, withHoles(session, 0));
        }
        run(options(topic, lakeFolder.resolve("calm"), 1));
        return tables(lakeFolder.resolve("calm"));
    }

    /**
     * Every session twice, as a recording that is sent again: its second pass takes the place of
     * the first, of which some records come once more, too late.
     */
    private static String sendTwiceInDisorder(int parallelism) throws Exception {
        String topic = "disorder-" + parallelism;
        broker.createTopic(topic);
        Random random = new Random(parallelism);
        for (String session : SESSIONS) {
            List<byte[]> first = shuffledWithRepeats(withHoles(session, 0), random);
            broker.send(topic, session, first);
            List<byte[]> second = shuffledWithRepeats(withHoles(session, 1), random);
            second.addAll(second.size() / 2, first.subList(100, 110));
            broker.send(topic, session, second);
        }
        return topic;
    }

    @ParameterizedTest
    @CsvSource({"1, hashmap", "2, rocksdb", "4, hashmap"})
    void yieldsTheSameRowsOnceFromRecordsInDisorderWithFailuresInTheMiddle(
            int parallelism, String backend) throws Exception {
        Map<String, List<String>> expected = rowsOfACalmRun();
        Path lake = lakeFolder.resolve("failed");
        TraceJobOptions options =
                options(sendTwiceInDisorder(parallelism), lake, parallelism)
                        .withStateBackend(backend)
                        .withCheckpointInterval(Duration.ofMillis(100));
        CheckpointSizes sizes = new CheckpointSizes();
        FailOnPurpose.arm(sizes, 400, 800);

        JobID job = submitWithFailures(options);
        for (int failures = 1; failures <= 2; failures++) {
            awaitFailures(job, failures);
            assertVisibleOnce(lake, expected);
        }
        cluster.requestJobResult(job).get().toJobExecutionResult(TraceJobIT.class.getClassLoader());

        String line = sizes.line(cluster.getExecutionGraph(job).get());
        System.out.println(backend + ", " + parallelism + " subtasks: " + line);
        assertSameInBothPasses(lake, expected);
        TraceJob.sweep(options);
        assertThat(new TestLake(lake).unfinished()).isEmpty();
        assertSameInBothPasses(lake, expected);
    }

    private static JobID submitWithFailures(TraceJobOptions options) throws Exception {
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.getExecutionEnvironment();
        TraceJob.configure(environment, options);
        TraceJob.define(
                environment
                        .fromSource(
                                InboundRecords.source(options),
                                WatermarkStrategy.noWatermarks(),
                                "records",
                                WireType.INBOUND)
                        .setParallelism(options.parallelism())
                        .map(new FailOnPurpose(), WireType.INBOUND)
                        .setParallelism(options.parallelism()),
                options);
        return cluster.submitJob(environment.getStreamGraph()).get().getJobID();
    }

    private static void awaitFailures(JobID job, int failures) throws Exception {
        while (FailOnPurpose.failures() < failures) {
            assertThat(cluster.getJobStatus(job).get().isGloballyTerminalState()).isFalse();
            Thread.sleep(20);
        }
    }

    /** What can be seen while the job goes on is a part of what must be there, each row once. */
    private static void assertVisibleOnce(Path lake, Map<String, List<String>> expected)
            throws Exception {
        for (String load : LOADS) {
            List<String> frames = new TestLake(lake).rowsOfLoad("frames", load);
            assertThat(frames).doesNotHaveDuplicates().isSubsetOf(expected.get("frames"));
        }
    }

    private static void assertSameInBothPasses(Path lake, Map<String, List<String>> expected)
            throws Exception {
        assertThat(expected.get("sessions")).hasSize(3);
        for (String load : LOADS) {
            Map<String, List<String>> seen = new TreeMap<>();
            for (String table : expected.keySet()) {
                seen.put(table, new TestLake(lake).rowsOfLoad(table, load));
            }
            System.out.println(
                    "  rows of %s: %s, expected %s".formatted(load, hash(seen), hash(expected)));
            assertThat(seen).isEqualTo(expected);
        }
    }

    private static String hash(Map<String, List<String>> tables) throws Exception {
        byte[] rows = tables.toString().getBytes(StandardCharsets.UTF_8);
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(rows);
        return HexFormat.of().formatHex(digest, 0, 8);
    }

    @Test
    void anchorsLiveBytesAnewBehindMissingRecords() throws Exception {
        rowsOfACalmRun();

        TestLake lake = new TestLake(lakeFolder.resolve("calm"));
        assertThat(
                        lake.query(
                                "SELECT DISTINCT gaps, is_whole_load FROM {sessions} WHERE state = 'closed'"))
                .containsExactly("2|false");
        assertThat(
                        lake.query(
                                """
                                WITH steps AS (
                                    SELECT *, lag(live_bytes, 1, 0) OVER (PARTITION BY session_id ORDER BY frame) AS before_bytes
                                    FROM {frames}
                                )
                                SELECT session_id, count(*) FILTER (adjusted_live_bytes <> 0) >= 2 AS is_anchored
                                FROM steps
                                GROUP BY session_id
                                HAVING bool_and(live_bytes = before_bytes + alloc_bytes - free_bytes + adjusted_live_bytes)
                                ORDER BY session_id
                                """))
                .containsExactlyElementsOf(SESSIONS.stream().map(s -> s + "|true").toList());
    }

    @Test
    void sendsWhatItCannotReadToTheDeadLettersAndGoesOn() throws Exception {
        broker.createTopic("garbage");
        String session = SESSIONS.get(0);
        List<byte[]> records =
                new ArrayList<>(TestSession.whole(session, RandomEvents.of(1, 1000), 100));
        records.add(1, "garbage".getBytes(StandardCharsets.UTF_8));
        records.add(2, new byte[0]);
        byte[] unknownSchema = records.get(0).clone();
        unknownSchema[5] ^= 1;
        records.add(3, unknownSchema);
        records.add(4, new byte[2 << 20]);
        broker.send("garbage", session, records);
        int before = broker.read(TraceSchemas.DEAD_LETTER_TOPIC).size();

        run(options("garbage", lakeFolder, 1));

        List<ConsumerRecord<byte[], byte[]>> letters = broker.read(TraceSchemas.DEAD_LETTER_TOPIC);
        assertThat(letters.subList(before, letters.size()))
                .extracting(letter -> header(letter, DeadLetters.OFFSET))
                .containsExactly("1", "2", "3", "4");
        assertThat(letters.get(before + 3).value()).hasSize(DeadLetters.MAX_BYTES);
        assertThat(header(letters.get(before + 3), DeadLetters.LENGTH)).isEqualTo("2097152");
        assertThat(header(letters.get(before), DeadLetters.TOPIC)).isEqualTo("garbage");
        assertThat(header(letters.get(before), DeadLetters.REASON)).contains("marker C3 01");
        assertThat(header(letters.get(before + 2), DeadLetters.REASON))
                .contains("is not in tidemark.schemas");
        assertThat(letters.get(before).value())
                .isEqualTo("garbage".getBytes(StandardCharsets.UTF_8));
        assertThat(
                        new TestLake(lakeFolder)
                                .query(
                                        "SELECT state, is_whole_load, gaps, policy['MALLOC_ARENA_MAX'] FROM {sessions} ORDER BY revision"))
                .containsExactly("open|true|0|2", "closed|true|0|2");
    }

    private static String header(ConsumerRecord<byte[], byte[]> record, String name) {
        return new String(record.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
    }

    @Test
    void readsASchemaThatItDidNotKnowFromItsTopic() throws Exception {
        broker.createTopic("newer");
        String json =
                TraceSchemas.CURRENT
                        .toString()
                        .replace(
                                "\"name\":\"SessionEnd\"",
                                "\"name\":\"Weather\",\"doc\":\"From the future.\"");
        Schema newer = new Schema.Parser().parse(json);
        long fingerprint = SchemaNormalization.parsingFingerprint64(newer);
        broker.send(
                TraceSchemas.SCHEMAS_TOPIC,
                TraceSchemas.fingerprintKey(fingerprint),
                List.of(json.getBytes(StandardCharsets.UTF_8)));
        String session = SESSIONS.get(0);
        List<byte[]> records =
                TestSession.whole(session, RandomEvents.of(5, 500), 100).stream()
                        .map(record -> withFingerprint(record, fingerprint))
                        .toList();
        broker.send("newer", session, records);

        run(options("newer", lakeFolder, 1));

        // What was the end is a payload that nobody here knows.
        assertThat(
                        new TestLake(lakeFolder)
                                .query(
                                        "SELECT title, state, events, unknown_payloads, is_whole_load FROM {sessions} ORDER BY revision DESC LIMIT 1"))
                .containsExactly("testgame|lost|500|1|true");
    }

    private static byte[] withFingerprint(byte[] record, long fingerprint) {
        byte[] changed = record.clone();
        ByteBuffer.wrap(changed).order(ByteOrder.LITTLE_ENDIAN).putLong(2, fingerprint);
        return changed;
    }

    @Test
    void endsAnUnboundedJobByDrainingItIntoFinishedFiles() throws Exception {
        broker.createTopic("live");
        String session = SESSIONS.get(0);
        List<byte[]> records = TestSession.whole(session, RandomEvents.of(9, 2000), 100);
        broker.send("live", session, records.subList(0, records.size() - 1));
        TraceJobOptions options =
                options("live", lakeFolder, 2)
                        .withBounded(false)
                        .withCheckpointInterval(Duration.ofMillis(200));
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.getExecutionEnvironment();
        TraceJob.define(environment, options);
        var job = cluster.submitJob(environment.getStreamGraph()).get().getJobID();
        TestLake lake = new TestLake(lakeFolder);
        while (lake.files("frames").isEmpty()) {
            Thread.sleep(50);
        }
        assertThat(lake.query("SELECT DISTINCT state FROM {sessions}")).containsExactly("open");

        cluster.stopWithSavepoint(
                        job,
                        folder.resolve("savepoint").toUri().toString(),
                        true,
                        SavepointFormatType.CANONICAL)
                .get();
        cluster.requestJobResult(job).get();

        assertThat(lake.query("SELECT state FROM {sessions} ORDER BY revision DESC LIMIT 1"))
                .containsExactly("lost");
        assertThat(lake.query("SELECT count(*) = max(frame) + 1 FROM {frames}"))
                .containsExactly("true");
        assertThat(lake.unfinished()).isEmpty();
    }

    @Test
    void losesASessionWithoutAnEndWhenABoundedRunEnds() throws Exception {
        broker.createTopic("endless");
        String session = SESSIONS.get(0);
        List<byte[]> records = TestSession.whole(session, RandomEvents.of(3, 2000), 100);
        broker.send("endless", session, records.subList(0, records.size() - 1));

        run(options("endless", lakeFolder, 2).withStateBackend("rocksdb"));

        TestLake lake = new TestLake(lakeFolder);
        assertThat(
                        lake.query(
                                "SELECT state, end_reason, losses, is_whole_load FROM {sessions} ORDER BY revision"))
                .containsExactly("open|null|0|true", "lost|lost|1|true");
        assertThat(lake.query("SELECT count(*) = max(frame) + 1 FROM {frames}"))
                .containsExactly("true");
        assertThat(lake.query("SELECT DISTINCT loss FROM {frames} ORDER BY ALL"))
                .containsExactly("1", "null");
    }
}
