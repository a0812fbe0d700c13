package dev.tidemark.jobs;

import dev.tidemark.replay.BattleRecords;
import dev.tidemark.replay.TestSession;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * Run by hand. Prints how fast records go from Kafka to finished Parquet, all in one process: from
 * the job's submission to its end, start-up included, and the CPU time that the process took.
 *
 * <p>Arguments: events of each of four sessions, live blocks of each, an empty folder.
 */
public final class ChainBenchmark {
    private static final int SESSIONS = 4;
    private static final String TOPIC = "bench";

    private ChainBenchmark() {}

    public static void main(String[] args) throws Exception {
        long events = args.length > 0 ? Long.parseLong(args[0]) : 3_000_000;
        int live = args.length > 1 ? Integer.parseInt(args[1]) : 100_000;
        Path folder =
                args.length > 2
                        ? Files.createDirectories(Path.of(args[2]))
                        : Files.createTempDirectory("tidemark-bench");
        MiniCluster cluster = cluster();
        try (TestBroker broker = new TestBroker(folder.resolve("kafka"))) {
            broker.createTopic(TOPIC);
            for (int i = 0; i < SESSIONS; i++) {
                String id = "01890000-0000-7000-8000-00000000000" + i;
                broker.send(TOPIC, id, BattleRecords.of(id, events, live));
            }
            cluster.start();
            for (int round = 0; round < 3; round++) {
                for (int parallelism = 1; parallelism <= 2; parallelism++) {
                    TraceJobOptions options =
                            TraceJobOptions.of(
                                            broker.bootstrapServers(),
                                            folder.resolve("lake").toString(),
                                            "bench" + round + "p" + parallelism,
                                            TestSession.STARTED_AT_US)
                                    .withTopics(List.of(TOPIC))
                                    .withBounded(true)
                                    .withParallelism(parallelism);
                    run(cluster, options, SESSIONS * events);
                }
            }
        }
        cluster.close();
    }

    private static MiniCluster cluster() {
        return new MiniCluster(
                new MiniClusterConfiguration.Builder()
                        .setConfiguration(new Configuration().set(RestOptions.BIND_PORT, "0"))
                        .setNumTaskManagers(1)
                        .setNumSlotsPerTaskManager(2)
                        .build());
    }

    private static void run(MiniCluster cluster, TraceJobOptions options, long events)
            throws Exception {
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.getExecutionEnvironment();
        long cpuNs = cpuNs();
        long startNs = System.nanoTime();
        TraceJob.define(environment, options);
        var job = cluster.submitJob(environment.getStreamGraph()).get();
        cluster.requestJobResult(job.getJobID())
                .get()
                .toJobExecutionResult(ChainBenchmark.class.getClassLoader());
        double seconds = (System.nanoTime() - startNs) / 1e9;
        double cpuSeconds = (cpuNs() - cpuNs) / 1e9;
        System.out.println(
                String.format(
                        Locale.ROOT,
                        "Kafka to Parquet, parallelism %d: %.2f s, %.2f million events/s; CPU %.2f s, %.2f million events per CPU second",
                        options.parallelism(),
                        seconds,
                        events / seconds / 1e6,
                        cpuSeconds,
                        events / cpuSeconds / 1e6));
    }

    private static long cpuNs() {
        return ((com.sun.management.OperatingSystemMXBean)
                        ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }
}
