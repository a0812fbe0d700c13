package dev.tidemark.ingest.agent;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How an agent works. What a process's own environment says about its session goes before.
 *
 * @param rings the folder of ring files
 * @param memoryInterval how often memory is sampled; zero: never
 * @param threadNames what becomes of threads' names
 * @param salt file with the salt for hashes, made when missing; null: no host, no hashed names
 * @param endWait how long the end of a process waits for {@link Agent#processEnded}, which knows
 *     the exit code; zero where nobody calls it
 * @param version of the recorder, as sessions tell it
 */
public record AgentOptions(
        Path rings,
        Duration memoryInterval,
        ThreadNames threadNames,
        @Nullable Path salt,
        Duration endWait,
        String version) {
    private static final Duration MEMORY_INTERVAL = Duration.ofMillis(100);

    /** The defaults for a folder. */
    public static AgentOptions of(Path rings) {
        return new AgentOptions(
                rings,
                MEMORY_INTERVAL,
                ThreadNames.KEEP,
                defaultSalt(),
                Duration.ZERO,
                builtVersion());
    }

    /** {@code ~/.config/tidemark/salt}. */
    public static Path defaultSalt() {
        String configured = System.getenv("XDG_CONFIG_HOME");
        String home =
                Objects.requireNonNullElse(System.getenv("HOME"), System.getProperty("user.home"));
        Path config =
                configured == null || configured.isBlank()
                        ? Path.of(home, ".config")
                        : Path.of(configured);
        return config.resolve("tidemark").resolve("salt");
    }

    private static String builtVersion() {
        return Objects.requireNonNullElse(
                AgentOptions.class.getPackage().getImplementationVersion(), "development");
    }

    /** With another interval between samples of memory. */
    public AgentOptions withMemoryInterval(Duration interval) {
        return new AgentOptions(rings, interval, threadNames, salt, endWait, version);
    }

    /** With other names of threads. */
    public AgentOptions withThreadNames(ThreadNames names) {
        return new AgentOptions(rings, memoryInterval, names, salt, endWait, version);
    }

    /** With another salt, or none. */
    public AgentOptions withSalt(@Nullable Path file) {
        return new AgentOptions(rings, memoryInterval, threadNames, file, endWait, version);
    }

    /** With another wait for the word of whoever started the processes. */
    public AgentOptions withEndWait(Duration wait) {
        return new AgentOptions(rings, memoryInterval, threadNames, salt, wait, version);
    }
}
