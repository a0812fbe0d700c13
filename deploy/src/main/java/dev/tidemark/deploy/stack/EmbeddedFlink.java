package dev.tidemark.deploy.stack;

import dev.tidemark.deploy.Failure;
import dev.tidemark.deploy.TemporaryFolder;
import java.io.IOException;
import java.net.URI;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.configuration.WebOptions;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.jobmaster.JobResult;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * A real Flink cluster in this JVM: a job manager with its REST and web address on loopback, one
 * task manager, checkpoints in a temporary folder.
 */
public final class EmbeddedFlink implements AutoCloseable {
    private static final String LOOPBACK = "127.0.0.1";

    private final MiniCluster cluster;
    private final TemporaryFolder folder;
    private final URI address;

    private EmbeddedFlink(MiniCluster cluster, TemporaryFolder folder, URI address) {
        this.cluster = cluster;
        this.folder = folder;
        this.address = address;
    }

    /** Starts a cluster with this many task slots; {@code port} 0 takes a free one. */
    public static EmbeddedFlink start(int slots, int port) throws IOException {
        TemporaryFolder folder = TemporaryFolder.create("flink");
        MiniCluster cluster =
                new MiniCluster(
                        new MiniClusterConfiguration.Builder()
                                .setConfiguration(configuration(folder, port))
                                .setNumTaskManagers(1)
                                .setNumSlotsPerTaskManager(slots)
                                .setCommonBindAddress(LOOPBACK)
                                .build());
        try {
            cluster.start();
            return new EmbeddedFlink(cluster, folder, await(cluster.getRestAddress()));
        } catch (Exception e) {
            IOException failure =
                    new IOException("Flink did not start in this process: " + Failure.reason(e), e);
            try (folder) {
                await(cluster.closeAsync());
            } catch (IOException closing) {
                failure.addSuppressed(closing);
            }
            throw failure;
        }
    }

    /** Where the REST interface and the web pages are. */
    public URI address() {
        return address;
    }

    /** Submits the graph that was defined on {@code environment}; it runs on when this returns. */
    public JobID submit(StreamExecutionEnvironment environment) throws IOException {
        return await(cluster.submitJob(environment.getStreamGraph())).getJobID();
    }

    /** Runs a bounded graph to its end; fails with the job's own reason. */
    public void run(StreamExecutionEnvironment environment) throws IOException {
        awaitEnd(submit(environment));
    }

    /** Waits until the job has ended; fails with the job's own reason. */
    public void awaitEnd(JobID job) throws IOException {
        JobResult result = await(cluster.requestJobResult(job));
        if (result.getSerializedThrowable().isPresent()) {
            Throwable reason =
                    result.getSerializedThrowable()
                            .get()
                            .deserializeError(EmbeddedFlink.class.getClassLoader());
            throw new IOException("the job failed: " + Failure.reason(reason), reason);
        }
    }

    public JobStatus status(JobID job) throws IOException {
        return await(cluster.getJobStatus(job));
    }

    /** Takes a savepoint with everything drained into the sinks, and ends the job. */
    public void stopWithDrain(JobID job) throws IOException {
        await(
                cluster.stopWithSavepoint(
                        job,
                        folder.path().resolve("savepoint").toUri().toString(),
                        true,
                        SavepointFormatType.CANONICAL));
        awaitEnd(job);
    }

    @Override
    public void close() {
        try {
            await(cluster.closeAsync());
        } catch (IOException e) {
            throw new IllegalStateException("Flink did not stop: " + e.getMessage(), e);
        } finally {
            folder.close();
        }
    }

    private static Configuration configuration(TemporaryFolder folder, int port) {
        Configuration configuration = new Configuration();
        configuration.set(RestOptions.ADDRESS, LOOPBACK);
        configuration.set(RestOptions.BIND_ADDRESS, LOOPBACK);
        configuration.set(RestOptions.BIND_PORT, Integer.toString(port));
        configuration.set(WebOptions.SUBMIT_ENABLE, true);
        // All that a job brings along is on this class path already.
        configuration.set(CoreOptions.CLASSLOADER_RESOLVE_ORDER, "parent-first");
        configuration.set(CoreOptions.TMP_DIRS, folder.path().toString());
        configuration.set(
                CheckpointingOptions.CHECKPOINTS_DIRECTORY,
                folder.path().resolve("checkpoints").toUri().toString());
        configuration.set(TaskManagerOptions.MANAGED_MEMORY_SIZE, MemorySize.ofMebiBytes(128));
        configuration.set(TaskManagerOptions.NETWORK_MEMORY_MIN, MemorySize.ofMebiBytes(64));
        configuration.set(TaskManagerOptions.NETWORK_MEMORY_MAX, MemorySize.ofMebiBytes(64));
        return configuration;
    }

    private static <T> T await(Future<T> future) throws IOException {
        try {
            return future.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for Flink", e);
        } catch (ExecutionException e) {
            throw new IOException(Failure.reason(e), e);
        }
    }
}
