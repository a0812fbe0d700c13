package dev.tidemark.ingest.agent;

import dev.tidemark.ingest.ring.RingFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Why threads of a session had no ring.
 *
 * @param threads how many at some time found none
 * @param allThreads of the process
 * @param events dropped meanwhile
 * @param rings how many threads may have one at once
 * @param isFolderFull whether the file system had no room for another ring; else all were taken
 * @param folder of the ring file
 * @param freeBytes left there, the session's rings being there
 * @param ringBytes that one ring takes
 */
public record RingShortage(
        long threads,
        long allThreads,
        long events,
        long rings,
        boolean isFolderFull,
        Path folder,
        long freeBytes,
        long ringBytes) {

    /** What a ring file that is still there says; null when every thread had a ring. */
    static @Nullable RingShortage of(RingFile file) throws IOException {
        long threads = file.threadsWithoutRing();
        if (threads == 0) {
            return null;
        }
        Path folder = Objects.requireNonNull(file.path().toAbsolutePath().getParent());
        return new RingShortage(
                threads,
                file.threads(),
                file.droppedWithoutRing(),
                file.ringCount(),
                file.ringsUsed() < file.ringCount(),
                folder,
                folder.toFile().getUsableSpace(),
                file.ringStride());
    }

    /**
     * One line.
     *
     * @param moreRoom what to do about a folder without room
     */
    public String line(String moreRoom) {
        String what =
                "dropped %,d events: %,d of %,d threads without a ring, because "
                        .formatted(events, threads, allThreads);
        return isFolderFull
                ? what
                        + "%s has %,d bytes free and a thread's ring takes %,d; %s"
                                .formatted(folder, freeBytes, ringBytes, moreRoom)
                : what
                        + "at most %,d threads have one at once; set TIDEMARK_RINGS to more"
                                .formatted(rings);
    }
}
