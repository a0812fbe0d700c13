package dev.tidemark.deploy;

import dev.tidemark.deploy.lake.ClusterJob;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Submits a job to a Flink cluster that runs already. */
@Command(
        name = "submit",
        description = "Submits a job to a Flink cluster that runs already.",
        mixinStandardHelpOptions = true)
final class SubmitCommand implements Callable<Integer> {
    @Parameters(paramLabel = "JOB", description = "trace: from the broker's topics into a lake.")
    private String job = "";

    @Option(
            names = "--flink",
            paramLabel = "HOST:PORT",
            defaultValue = "127.0.0.1:8081",
            description = "The cluster's REST address; default: ${DEFAULT-VALUE}.")
    private String flink = "";

    @Option(
            names = "--kafka",
            paramLabel = "HOST:PORT",
            defaultValue = "127.0.0.1:9092",
            description = "The broker, as the cluster reaches it; default: ${DEFAULT-VALUE}.")
    private String kafka = "";

    @Option(
            names = "--lake",
            paramLabel = "DIR",
            required = true,
            description = "The lake: a folder or URI that the cluster's task managers can write.")
    private String lake = "";

    @Option(
            names = "--parallelism",
            paramLabel = "N",
            defaultValue = "1",
            description = "How many sessions are replayed at once; default: ${DEFAULT-VALUE}.")
    private int parallelism = 1;

    @Option(
            names = "--state-backend",
            paramLabel = "NAME",
            defaultValue = "rocksdb",
            description = "rocksdb or hashmap; default: ${DEFAULT-VALUE}.")
    private String stateBackend = "";

    @Option(names = "--bounded", description = "End with what the topics hold now.")
    private boolean bounded;

    @Option(names = "--events", description = "The lake gets a row for each event, too.")
    private boolean events;

    @Spec private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        if (!job.equals("trace")) {
            throw Failure.wrongUsage("job '" + job + "': there is one, trace");
        }
        if (parallelism < 1) {
            throw Failure.wrongUsage("--parallelism " + parallelism + ": expected 1 or more");
        }
        ClusterJob request =
                new ClusterJob(flink, kafka, lake, parallelism, stateBackend, bounded, events);
        spec.commandLine().getOut().println("job  " + request.submit());
        return ExitCode.DONE;
    }
}
