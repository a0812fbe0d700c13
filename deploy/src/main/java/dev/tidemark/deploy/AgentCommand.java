package dev.tidemark.deploy;

import dev.tidemark.ingest.agent.Agent;
import dev.tidemark.ingest.agent.AgentListener;
import dev.tidemark.ingest.agent.AgentOptions;
import dev.tidemark.ingest.agent.MetricsServer;
import dev.tidemark.ingest.agent.RingShortage;
import dev.tidemark.ingest.agent.SessionSummary;
import dev.tidemark.ingest.sink.KafkaSink;
import dev.tidemark.ingest.sink.RecordingSink;
import dev.tidemark.ingest.sink.TraceSink;
import dev.tidemark.schemas.TraceSchemas;
import java.io.Closeable;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jline.utils.Signals;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Serves every process that puts its rings into a folder, until it is told to stop. */
@Command(
        name = "agent",
        description = {
            "Serves every process that puts its rings into a folder, until INT or TERM.",
            "A process is recorded when it is started with LD_PRELOAD=libtidemark.so and",
            "TIDEMARK_RING_DIR=DIR; TIDEMARK_TITLE, _ROLE, _BUILD, _ARM, _LABELS, _ON_FULL, _FRAMES",
            "and _TICKS say more about it."
        },
        mixinStandardHelpOptions = true)
final class AgentCommand implements Callable<Integer> {
    private static final int LAST_PORT = 65535;

    @Option(
            names = "--rings",
            paramLabel = "DIR",
            required = true,
            description =
                    "The folder of rings, in shared memory; mode 01733 lets any user add one.")
    private Path rings = Path.of("");

    @Option(names = "--kafka", paramLabel = "HOST:PORT", description = "Send to this broker.")
    private @Nullable String kafka;

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "Write a recording instead (NAME.trace.avro).")
    private @Nullable Path recording;

    @Option(
            names = "--spool",
            paramLabel = "DIR",
            description =
                    "Where records wait while the broker is away; default: ~/.local/state/tidemark/spool.")
    private @Nullable Path spool;

    @Option(
            names = "--memory-interval",
            paramLabel = "MS",
            defaultValue = "100",
            description = "Memory is sampled this often; default: ${DEFAULT-VALUE}.")
    private int memoryIntervalMillis = 100;

    @Option(
            names = "--metrics-listen",
            paramLabel = "[HOST]:PORT",
            description = "Serve metrics for Prometheus there, under /metrics.")
    private @Nullable String metricsListen;

    @Spec private CommandSpec spec;

    @Override
    @SuppressWarnings("try") // held open, not used
    public Integer call() throws IOException, InterruptedException {
        PrintWriter err = spec.commandLine().getErr();
        AgentOptions options =
                AgentOptions.of(rings).withMemoryInterval(Duration.ofMillis(memoryIntervalMillis));
        CountDownLatch stop = new CountDownLatch(1);
        Signals.register("INT", stop::countDown);
        Signals.register("TERM", stop::countDown);
        try (TraceSink sink = sink()) {
            try (Agent agent = Agent.start(options, sink, new Log(err));
                    Closeable metrics = metrics(agent)) {
                err.println("tidemark: serving " + rings);
                stop.await();
            }
            sink.flush();
        }
        return ExitCode.DONE;
    }

    private Closeable metrics(Agent agent) throws IOException {
        if (metricsListen == null) {
            return () -> {};
        }
        int colon = metricsListen.lastIndexOf(':');
        String port = metricsListen.substring(colon + 1);
        if (colon < 0 || !port.matches("\\d{1,5}") || Integer.parseInt(port) > LAST_PORT) {
            throw Failure.wrongUsage(
                    "--metrics-listen '" + metricsListen + "': expected HOST:PORT or :PORT");
        }
        String host = metricsListen.substring(0, colon);
        InetSocketAddress address =
                host.isEmpty()
                        ? new InetSocketAddress(Integer.parseInt(port))
                        : new InetSocketAddress(host, Integer.parseInt(port));
        return MetricsServer.start(address, agent::metrics);
    }

    private Path spool() {
        return spool != null
                ? spool
                : Path.of(System.getProperty("user.home"), ".local/state/tidemark/spool");
    }

    private TraceSink sink() throws IOException {
        if (kafka != null && recording == null) {
            return new KafkaSink(kafka, TraceSchemas.TRACE_TOPIC, spool());
        }
        if (recording != null && kafka == null) {
            return new RecordingSink(recording);
        }
        throw Failure.wrongUsage("--kafka HOST:PORT or --out FILE: give one of them");
    }

    /** A line for what happens. */
    private record Log(PrintWriter err) implements AgentListener {
        @Override
        public void sessionStarted(String sessionId, int pid, String title) {
            err.println("tidemark: session " + sessionId + " begins: " + title + ", pid " + pid);
        }

        @Override
        public void sessionEnded(SessionSummary summary) {
            err.printf(
                    "tidemark: session %s ended (%s): %,d events, %,d dropped%n",
                    summary.sessionId(),
                    summary.reason().name().toLowerCase(Locale.ROOT),
                    summary.events(),
                    summary.droppedEvents());
            RingShortage shortage = summary.shortage();
            if (shortage != null) {
                err.println(
                        "tidemark: session "
                                + summary.sessionId()
                                + " "
                                + shortage.line("make that file system larger or serve another"));
            }
        }

        @Override
        public void error(String line) {
            err.println("tidemark: " + line);
        }
    }
}
