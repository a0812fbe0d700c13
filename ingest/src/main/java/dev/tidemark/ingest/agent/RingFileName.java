package dev.tidemark.ingest.agent;

import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A file in the ring folder, by its name: {@code PID-STAMP.ring}, or {@code PID-STAMP.REASON.error}
 * where nothing can be recorded.
 *
 * @param pid as the process sees itself
 * @param stamp start of its image; of one process, a later image has a later stamp
 * @param reason why nothing is recorded; null for a ring file
 */
record RingFileName(Path path, long pid, long stamp, @Nullable String reason) {
    private static final Pattern RING = Pattern.compile("([0-9]{1,10})-([0-9a-f]{16})\\.ring");
    private static final Pattern ERROR =
            Pattern.compile("([0-9]{1,10})-([0-9a-f]{16})\\.(.{1,200})\\.error");

    /** Null for any other file. */
    static @Nullable RingFileName parse(Path path) {
        String name = String.valueOf(path.getFileName());
        Matcher matcher = RING.matcher(name);
        String reason = null;
        if (!matcher.matches()) {
            matcher = ERROR.matcher(name);
            if (!matcher.matches()) {
                return null;
            }
            reason = matcher.group(3);
        }
        return new RingFileName(
                path,
                Long.parseLong(matcher.group(1)),
                Long.parseUnsignedLong(matcher.group(2), 16),
                reason);
    }

    /** The note beside a ring file that names its session. */
    Path sessionNote() {
        String name = path.getFileName().toString();
        return path.resolveSibling(
                name.substring(0, name.length() - ".ring".length()) + ".session");
    }
}
