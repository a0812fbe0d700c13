package dev.tidemark.deploy.record;

import dev.tidemark.deploy.ExitCode;
import dev.tidemark.deploy.Failure;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How much room rings need, as the recorder reckons it (ingest/recorder/file.c): a header for each
 * program, and a page and a power of two of records for each thread.
 *
 * @param headerBytes once for each program
 * @param threadBytes for each thread that runs at once
 */
record RingSpace(long headerBytes, long threadBytes) {
    private static final long HEADER_BYTES = 32 << 10;
    private static final long PAGE_BYTES = 4096;
    private static final long LEAST_RING_BYTES = 2048;
    private static final long MOST_RING_BYTES = 1 << 30;
    private static final long USUAL_RING_BYTES = 1 << 20;

    /**
     * What is needed for rings of so many bytes.
     *
     * @param ringBytes the program's TIDEMARK_RING_BYTES; null or no number: the recorder's default
     */
    static RingSpace of(@Nullable String ringBytes) {
        long asked =
                ringBytes != null && ringBytes.matches("\\d{1,18}")
                        ? Long.parseLong(ringBytes)
                        : USUAL_RING_BYTES;
        long bytes =
                Long.highestOneBit(Math.max(LEAST_RING_BYTES, Math.min(asked, MOST_RING_BYTES)));
        long records = (bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
        return new RingSpace(HEADER_BYTES, PAGE_BYTES + records);
    }

    /** Fails when a folder has no room for a single thread. */
    void require(Path folder) {
        long freeBytes = folder.toFile().getUsableSpace();
        boolean isUnlimited = folder.toFile().getTotalSpace() == 0;
        if (!isUnlimited && freeBytes < headerBytes + threadBytes) {
            throw new Failure(
                    ExitCode.NOT_RECORDED,
                    "%s: %,d bytes free, too few for rings, which take %,d and %,d for each thread: use --ring-dir DIR or a larger tmpfs there"
                            .formatted(folder, freeBytes, headerBytes, threadBytes));
        }
    }
}
