package dev.tidemark.deploy;

import dev.tidemark.deploy.arm.Spelling;
import dev.tidemark.deploy.record.RecordOptions;
import dev.tidemark.deploy.record.RecordRequest;
import dev.tidemark.deploy.workload.Workload;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Records a synthetic program. */
@Command(
        name = "workload",
        description = {
            "Records a synthetic program, whose calls are the same for a seed: level-loads (20,000",
            "frames across ten loads), job-system (blocks handed between threads), server-tick (30 Hz).",
            "Its sessions have the label synthetic=true."
        },
        mixinStandardHelpOptions = true)
final class WorkloadCommand implements Callable<Integer> {
    private static final long MOST_COUNT = 100_000_000;
    private static final double MOST_SCALE = 1_000;
    private static final int MOST_THREADS = 64;

    @Parameters(paramLabel = "NAME", description = "level-loads, job-system or server-tick.")
    private String name = "";

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Of its sizes and lifetimes; default: ${DEFAULT-VALUE}.")
    private long seed = 1;

    @Option(names = "--count", paramLabel = "N", description = "Frames or ticks.")
    private @Nullable Long count;

    @Option(
            names = "--scale",
            paramLabel = "X",
            description = "So many times the usual blocks; default: ${DEFAULT-VALUE}.")
    private double scale = 1;

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "Workers of the job system; default: ${DEFAULT-VALUE}.")
    private int threads = 2;

    @Option(
            names = "--period",
            paramLabel = "MS",
            description = "Of a frame or tick; 0 runs as fast as it goes.")
    private @Nullable Double periodMillis;

    @Mixin private RecordOptions options = new RecordOptions();
    @Mixin private ArmOption arm = new ArmOption();
    @Mixin private LakeOptions lake = new LakeOptions();
    @Mixin private RecordingOptions recording = new RecordingOptions();

    @Spec private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        Workload workload =
                Workload.named(name)
                        .orElseThrow(
                                () ->
                                        Failure.wrongUsage(
                                                "workload '%s': not known%s"
                                                        .formatted(
                                                                name,
                                                                Spelling.hint(
                                                                        name, Workload.names()))));
        List<String> sizes = sizes(workload);
        options.setArm(arm.arm());
        options.setSynthetic(
                workload.text(),
                "seed %s, %s times %s ms, scale %s, %s threads"
                        .formatted(
                                sizes.get(0),
                                sizes.get(1),
                                sizes.get(4),
                                sizes.get(2),
                                sizes.get(3)),
                workload.isServer());
        try (TemporaryFolder folder = TemporaryFolder.create("workload")) {
            List<String> command =
                    Stream.concat(
                                    Stream.of(workload.compile(folder.path()).toString()),
                                    sizes.stream())
                            .toList();
            RecordRequest request =
                    new RecordRequest(
                            command, options, Map.of(), recording.duration(), Optional.empty());
            return recording.record(spec.commandLine(), lake, request);
        }
    }

    /** What the program is told: seed, count, scale, threads, period. */
    private List<String> sizes(Workload workload) {
        double period = periodMillis == null ? workload.periodMillis() : periodMillis;
        long frames = count == null ? workload.count() : count;
        check("--count", frames, frames >= 1 && frames <= MOST_COUNT, "1 to " + MOST_COUNT);
        check("--scale", scale, scale > 0 && scale <= MOST_SCALE, "above 0, up to 1000");
        check("--threads", threads, threads >= 1 && threads <= MOST_THREADS, "1 to 64");
        check("--period", period, period >= 0 && period <= 60_000, "0 to 60000 ms");
        return List.of(
                Long.toUnsignedString(seed),
                Long.toString(frames),
                plain(scale),
                Integer.toString(threads),
                plain(period));
    }

    private static void check(String option, Object value, boolean isGood, String expected) {
        if (!isGood) {
            throw Failure.wrongUsage("%s %s: expected %s".formatted(option, value, expected));
        }
    }

    private static String plain(double value) {
        return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
    }
}
