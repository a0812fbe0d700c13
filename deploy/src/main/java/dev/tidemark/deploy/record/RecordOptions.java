package dev.tidemark.deploy.record;

import dev.tidemark.deploy.Failure;
import dev.tidemark.deploy.arm.Arm;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** How a program is recorded: what recorder and agent are told in {@code TIDEMARK_*}. */
public final class RecordOptions {
    private static final Pattern FIXED = Pattern.compile("fixed:(?=.*[1-9])\\d+(\\.\\d+)?");
    private static final Pattern CALL = Pattern.compile("call:\\w+");

    /** What the recorder does when a ring is full. */
    enum OnFull {
        WAIT,
        DROP
    }

    /** What becomes of threads' names. */
    enum ThreadNames {
        KEEP,
        HASH,
        OFF
    }

    @Option(
            names = "--title",
            paramLabel = "NAME",
            description = "The game or server; default: the program's name.")
    private @Nullable String title;

    @Option(
            names = "--role",
            paramLabel = "ROLE",
            description =
                    "client or server; default: server when ticks are asked for, else client.")
    private @Nullable String role;

    @Option(names = "--build", paramLabel = "NAME", description = "Which build of it.")
    private @Nullable String build;

    @Option(names = "--scene", paramLabel = "NAME", description = "What is played or served.")
    private @Nullable String scene;

    @Option(names = "--run", paramLabel = "ID", description = "The batch that it belongs to.")
    private @Nullable String run;

    private Arm arm = Arm.DEFAULT;

    @Option(
            names = "--label",
            paramLabel = "K=V",
            description = "A label of the session; repeatable.")
    private Map<String, String> labels = new LinkedHashMap<>();

    @Option(
            names = "--frames",
            paramLabel = "HOW",
            defaultValue = "auto",
            description = "auto, fixed:MS or none; default: ${DEFAULT-VALUE}.")
    private String frames = "auto";

    @Option(
            names = "--ticks",
            paramLabel = "HOW",
            defaultValue = "auto",
            description = "auto, fixed:MS, call:NAME or none; default: ${DEFAULT-VALUE}.")
    private String ticks = "auto";

    @Option(
            names = "--memory-interval",
            paramLabel = "MS",
            defaultValue = "100",
            description = "Memory is sampled this often; default: ${DEFAULT-VALUE}.")
    private int memoryIntervalMillis = 100;

    @Option(
            names = "--on-full",
            defaultValue = "wait",
            description = "When a ring is full: wait or drop; default: ${DEFAULT-VALUE}.")
    private OnFull onFull = OnFull.WAIT;

    @Option(
            names = "--wait-max",
            paramLabel = "S",
            defaultValue = "1",
            description = "A call waits at most this long for room; default: ${DEFAULT-VALUE}.")
    private double waitMaxSeconds = 1;

    @Option(
            names = "--ring-dir",
            paramLabel = "DIR",
            description = {
                "Where rings are put, best in memory (a tmpfs); default: /dev/shm.",
                "A program needs 32 KiB there, and 1 MiB for each thread."
            })
    private @Nullable Path ringDirectory;

    @Option(
            names = "--thread-names",
            defaultValue = "keep",
            description = "keep, hash or off; default: ${DEFAULT-VALUE}.")
    private ThreadNames threadNames = ThreadNames.KEEP;

    @Option(
            names = "--children",
            description = "Record the processes that it starts, too, each as a session.")
    private boolean children;

    /** The options of this command line, and the defaults of all others. */
    public static RecordOptions of(String... arguments) {
        RecordOptions options = new RecordOptions();
        CommandLine line = new CommandLine(CommandSpec.forAnnotatedObject(options));
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.parseArgs(arguments);
        return options;
    }

    Arm arm() {
        return arm;
    }

    /**
     * For a program of ours that behaves as no real title does: its sessions are labelled {@code
     * synthetic=true}.
     *
     * @param name the title, unless another is given
     * @param whatScene the scene, unless another is given
     * @param isServer whether its unit of work is a tick
     */
    public void setSynthetic(String name, String whatScene, boolean isServer) {
        title = title == null ? name : title;
        scene = scene == null ? whatScene : scene;
        role = role == null && isServer ? "server" : role;
        labels.put("synthetic", "true");
    }

    /** What it runs under; the replayer's own allocators are a {@link Failure}. */
    public void setArm(Arm other) {
        if (other.builtIn().isPresent()) {
            throw Failure.wrongUsage(
                    "--arm %s: %s exists in a replay alone; ./tidemark bench RECORDING runs it"
                            .formatted(other.name(), other.builtIn().get().text()));
        }
        arm = other;
    }

    /** Where rings are wanted; empty for the usual place. */
    Optional<Path> ringDirectory() {
        return Optional.ofNullable(ringDirectory);
    }

    /** What the program's environment says to recorder and agent. */
    Map<String, String> variables(String command, Path rings) {
        Map<String, String> variables = new LinkedHashMap<>(arm.policy());
        variables.put("TIDEMARK_RING_DIR", rings.toString());
        variables.put(
                "TIDEMARK_TITLE",
                title != null ? title : String.valueOf(Path.of(command).getFileName()));
        variables.put("TIDEMARK_ROLE", checkedRole());
        variables.put("TIDEMARK_ARM", arm.name());
        put(variables, "TIDEMARK_BUILD", build);
        put(variables, "TIDEMARK_SCENE", scene);
        put(variables, "TIDEMARK_RUN", run);
        if (!labels.isEmpty()) {
            variables.put("TIDEMARK_LABELS", joinedLabels());
        }
        variables.put("TIDEMARK_FRAMES", checked("--frames", frames, false));
        variables.put("TIDEMARK_TICKS", checked("--ticks", ticks, true));
        variables.put(
                "TIDEMARK_MEMORY_INTERVAL",
                Integer.toString(positive("--memory-interval", memoryIntervalMillis)));
        variables.put("TIDEMARK_ON_FULL", lower(onFull));
        variables.put("TIDEMARK_WAIT_MAX", Double.toString(positive("--wait-max", waitMaxSeconds)));
        variables.put("TIDEMARK_THREAD_NAMES", lower(threadNames));
        variables.put("TIDEMARK_CHILDREN", children ? "1" : "0");
        return variables;
    }

    private static void put(Map<String, String> variables, String name, @Nullable String value) {
        Optional.ofNullable(value).ifPresent(some -> variables.put(name, some));
    }

    private String checkedRole() {
        String asked =
                role != null
                        ? role
                        : ticks.equals("auto") || ticks.equals("none") ? "client" : "server";
        if (!asked.equals("client") && !asked.equals("server")) {
            throw Failure.wrongUsage("--role '" + asked + "': expected client or server");
        }
        return asked;
    }

    private String joinedLabels() {
        return labels.entrySet().stream()
                .map(label -> label.getKey() + "=" + label.getValue())
                .collect(Collectors.joining(","));
    }

    private static String checked(String option, String how, boolean mayBeCall) {
        if (how.equals("auto")
                || how.equals("none")
                || FIXED.matcher(how).matches()
                || (mayBeCall && CALL.matcher(how).matches())) {
            return how;
        }
        throw Failure.wrongUsage(
                "%s '%s': expected auto, fixed:MS, %snone"
                        .formatted(option, how, mayBeCall ? "call:NAME or " : "or "));
    }

    private static int positive(String option, int value) {
        return (int) positive(option, (double) value);
    }

    private static double positive(String option, double value) {
        if (!(value > 0 && value <= 3600_000)) {
            throw Failure.wrongUsage(option + " " + value + ": expected a number above 0");
        }
        return value;
    }

    private static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
