package dev.tidemark.sql;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.stream.Collectors;

/**
 * A SQL file among the resources.
 *
 * @param path below this package, such as {@code views/frames.sql}
 * @param text as it stands
 */
public record SqlFile(String path, String text) {
    /** Reads it; a missing one is a fault of the build. */
    public static SqlFile read(String path) {
        try (InputStream in = SqlFile.class.getResourceAsStream(path)) {
            if (in == null) {
                throw new IllegalStateException("the build lacks the resource " + path);
            }
            return new SqlFile(path, new String(in.readAllBytes(), UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(path, e);
        }
    }

    /** What the comment at its head says, up to the first empty line of it. */
    String headComment() {
        return text.lines()
                .takeWhile(line -> line.startsWith("-- "))
                .map(line -> line.substring(3).strip())
                .collect(Collectors.joining(" "));
    }

    /** The statement, without the comment at its head. */
    public String statement() {
        return text.lines()
                .dropWhile(line -> line.startsWith("--"))
                .collect(Collectors.joining("\n"))
                .strip();
    }
}
