package dev.tidemark.ingest.agent;

import java.nio.file.Path;
import java.util.Objects;

/** What the name of a file {@code PID-STAMP.REASON.error} says, in a line. */
final class RingFileError {
    private static final long FILE_BYTES = 32 << 10;
    private static final long USUAL_RING_BYTES = (1 << 20) + 4096;

    private RingFileError() {}

    /**
     * The line about a reason.
     *
     * @param text what stands in the file; empty for nothing
     */
    static String line(RingFileName name, String reason, String text) {
        Path folder = Objects.requireNonNull(name.path().toAbsolutePath().getParent());
        return "process %d was not recorded: %s"
                .formatted(name.pid(), because(reason, folder, text.isEmpty() ? reason : text));
    }

    private static String because(String reason, Path folder, String otherwise) {
        return switch (reason) {
            case "no-space" ->
                    "no space for its rings: %s has %,d bytes free, and %,d and for each thread (by default) %,d are needed; put rings elsewhere (record --ring-dir DIR) or make that file system larger"
                            .formatted(
                                    folder,
                                    folder.toFile().getUsableSpace(),
                                    FILE_BYTES,
                                    USUAL_RING_BYTES);
            case "no-permission" ->
                    "it may not write to " + folder + "; a folder of rings has mode 01733";
            case "no-descriptor" ->
                    "it had no file descriptor left when it started; raise ulimit -n";
            case "no-address-space" ->
                    "its address space is too small for rings; raise ulimit -v or lower TIDEMARK_RINGS";
            case "file-size-limit" ->
                    "its file size limit is below that of a ring; raise ulimit -f";
            default -> otherwise;
        };
    }
}
