package dev.tidemark.jobs;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the flags of {@link TraceJob} and runs it. */
final class TraceJobMain {
    private static final Logger LOG = LoggerFactory.getLogger(TraceJobMain.class);
    private static final int DONE = 0;
    private static final int INTERNAL_ERROR = 1;
    private static final int WRONG_USAGE = 2;

    static final String USAGE =
            """
            flags, each followed by its value:
              --kafka HOST:PORT         the broker (needed)
              --lake PATH               root of the lake, a path or URI (needed)
              --submission ID           names this submission; give the same again at a restart by hand
              --submitted-at INSTANT    when it was submitted first, as 2026-01-31T12:00:00Z
              --topics A,B              topics to read, tidemark.trace,tidemark.bulk unless said
              --bounded true|false      end with what the topics hold now; false unless said
              --events true|false       write the table events; false unless said
              --parallelism N           sessions replayed at once; 1 unless said
              --checkpoints URI         where checkpoints go; the cluster's setting unless said
              --checkpoint-every SECONDS  10 unless said
              --state hashmap|rocksdb   rocksdb unless said
            """;

    private TraceJobMain() {}

    static int run(String[] args) {
        TraceJobOptions options;
        try {
            options = parse(args, Instant.now());
        } catch (IllegalArgumentException e) {
            LOG.error("{}\n{}", e.getMessage(), USAGE);
            return WRONG_USAGE;
        }
        try {
            StreamExecutionEnvironment environment =
                    StreamExecutionEnvironment.getExecutionEnvironment();
            TraceJob.sweepOld(options);
            TraceJob.define(environment, options);
            environment.execute();
            return DONE;
        } catch (Exception e) {
            LOG.error("the job ended", e);
            return INTERNAL_ERROR;
        }
    }

    static TraceJobOptions parse(String[] args, Instant now) {
        Map<String, String> flags = flags(args);
        long nowUs = now.getEpochSecond() * 1_000_000 + now.getNano() / 1000;
        String submittedAt = flags.remove("--submitted-at");
        String submission = flags.remove("--submission");
        TraceJobOptions options =
                TraceJobOptions.of(
                                needed(flags, "--kafka"),
                                needed(flags, "--lake"),
                                submission == null ? "job" + nowUs / 1000 : submission,
                                submittedAt == null ? nowUs : instant(submittedAt))
                        .withStateBackend(orElse(flags.remove("--state"), "rocksdb"))
                        .withBounded(Boolean.parseBoolean(flags.remove("--bounded")))
                        .withEvents(Boolean.parseBoolean(flags.remove("--events")))
                        .withCheckpointFolder(flags.remove("--checkpoints"))
                        .withParallelism(number(flags, "--parallelism", 1))
                        .withCheckpointInterval(
                                Duration.ofSeconds(number(flags, "--checkpoint-every", 10)));
        String topics = flags.remove("--topics");
        if (!flags.isEmpty()) {
            throw new IllegalArgumentException("no flag " + flags.keySet().iterator().next());
        }
        return topics == null
                ? options
                : options.withTopics(java.util.List.of(topics.split(",", -1)));
    }

    private static Map<String, String> flags(String[] args) {
        Map<String, String> flags = new HashMap<>();
        for (int i = 0; i < args.length; i += 2) {
            if (i + 1 == args.length) {
                throw new IllegalArgumentException("flag " + args[i] + " has no value");
            }
            flags.put(args[i], args[i + 1]);
        }
        return flags;
    }

    private static String needed(Map<String, String> flags, String name) {
        String value = flags.remove(name);
        if (value == null) {
            throw new IllegalArgumentException("flag " + name + " is needed");
        }
        return value;
    }

    private static String orElse(@Nullable String value, String otherwise) {
        return value == null ? otherwise : value;
    }

    private static int number(Map<String, String> flags, String name, int otherwise) {
        String value = flags.remove(name);
        try {
            return value == null ? otherwise : Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("flag " + name + ": " + value + " is no number", e);
        }
    }

    private static long instant(String text) {
        try {
            Instant instant = Instant.parse(text);
            return instant.getEpochSecond() * 1_000_000 + instant.getNano() / 1000;
        } catch (java.time.format.DateTimeParseException e) {
            throw new IllegalArgumentException(
                    "flag --submitted-at: " + text + " is no time as 2026-01-31T12:00:00Z", e);
        }
    }
}
