package dev.tidemark.deploy;

import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** Where sessions go: into a lake, through a broker and Flink of this process, or to a broker. */
final class LakeOptions {
    private static final Path DEFAULT = Path.of("lake");
    private static final Pattern BROKERS =
            Pattern.compile("[^\\s:,/]+:\\d{1,5}(,[^\\s:,/]+:\\d{1,5})*");

    @Option(
            names = "--lake",
            paramLabel = "DIR",
            description =
                    "Write a lake, through a broker and Flink in this process; the default is ./lake, unless another target is given.")
    private @Nullable Path lake;

    @Option(
            names = "--kafka",
            paramLabel = "HOST:PORT",
            description = "Send to this broker instead of a lake.")
    private @Nullable String kafka;

    @Option(names = "--events", description = "The lake gets a row for each event, too.")
    private boolean events;

    /**
     * The lake to write, if one is wanted: asked for on the command line, or in the settings or by
     * default when no other target is.
     */
    Optional<Path> lake(CommandLine command, boolean hasOtherTarget) {
        boolean isAskedFor = command.getParseResult().hasMatchedOption("--lake");
        if (isAskedFor && kafka != null) {
            throw Failure.wrongUsage(
                    "--lake and --kafka: choose one; ./tidemark submit loads a broker's sessions");
        }
        if (isAskedFor || (kafka == null && !hasOtherTarget)) {
            return Optional.of(lake == null ? DEFAULT : lake);
        }
        return Optional.empty();
    }

    /** The broker to send to, if one is wanted. */
    Optional<String> kafka() {
        if (kafka != null && !BROKERS.matcher(kafka).matches()) {
            throw Failure.wrongUsage("--kafka '" + kafka + "': expected HOST:PORT");
        }
        return Optional.ofNullable(kafka);
    }

    boolean events() {
        return events;
    }
}
