package dev.tidemark.deploy;

import dev.tidemark.deploy.lake.LakeLoad;
import dev.tidemark.deploy.stack.LocalStack;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jline.utils.Signals;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Keeps the local stack running, with the job that turns the stream into a lake. */
@Command(
        name = "up",
        description = {
            "Keeps a broker and Flink running in this process, with the job that turns what the",
            "broker gets into a lake, until INT or TERM; then what came is written to its end."
        },
        mixinStandardHelpOptions = true)
final class UpCommand implements Callable<Integer> {
    @Option(
            names = "--lake",
            paramLabel = "DIR",
            defaultValue = "lake",
            description = "The lake to write; default: ./${DEFAULT-VALUE}.")
    private Path lake = Path.of("lake");

    @Option(names = "--events", description = "The lake gets a row for each event, too.")
    private boolean events;

    @Option(
            names = "--kafka-port",
            paramLabel = "PORT",
            defaultValue = "9092",
            description = "Where the broker listens, 0 for a free port; default: ${DEFAULT-VALUE}.")
    private int kafkaPort;

    @Option(
            names = "--web-port",
            paramLabel = "PORT",
            defaultValue = "8081",
            description = "Where Flink listens, 0 for a free port; default: ${DEFAULT-VALUE}.")
    private int webPort;

    @Spec private CommandSpec spec;

    @Override
    @SuppressWarnings("try") // held open, not used
    public Integer call() throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        CountDownLatch stop = new CountDownLatch(1);
        Signals.register("INT", stop::countDown);
        Signals.register("TERM", stop::countDown);
        try (LocalStack stack =
                new LocalStack.Builder().kafkaPort(kafkaPort).webPort(webPort).start()) {
            try (LakeLoad.Running load = LakeLoad.start(stack, lake, events)) {
                out.println("broker  " + stack.bootstrapServers());
                out.println("flink   " + stack.flink().address());
                out.println("lake    " + lake);
                out.flush();
                stop.await();
            }
        }
        return ExitCode.DONE;
    }
}
