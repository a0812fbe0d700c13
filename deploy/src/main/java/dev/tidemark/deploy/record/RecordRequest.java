package dev.tidemark.deploy.record;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A program to be recorded.
 *
 * @param command the program and its arguments
 * @param options how
 * @param variables what it needs in its environment besides
 * @param duration after which it gets TERM
 * @param output where its stdout and stderr go instead of ours
 */
public record RecordRequest(
        List<String> command,
        RecordOptions options,
        Map<String, String> variables,
        Optional<Duration> duration,
        Optional<Path> output) {}
