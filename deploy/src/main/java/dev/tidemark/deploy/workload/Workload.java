package dev.tidemark.deploy.workload;

import dev.tidemark.deploy.CProgram;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** One of the synthetic programs. */
public enum Workload {
    /** 20,000 frames across ten level loads, on one thread. */
    LEVEL_LOADS("level-loads", 20_000, 1, false),
    /** Frames cut into jobs: blocks are freed by other threads than made them. */
    JOB_SYSTEM("job-system", 3_000, 4, false),
    /** A dedicated server at 30 Hz. */
    SERVER_TICK("server-tick", 900, 33.333, true);

    private final String text;
    private final long count;
    private final double periodMillis;
    private final boolean isServer;

    Workload(String text, long count, double periodMillis, boolean isServer) {
        this.text = text;
        this.count = count;
        this.periodMillis = periodMillis;
        this.isServer = isServer;
    }

    /** Its name on command lines and its sessions' title. */
    public String text() {
        return text;
    }

    /** Frames or ticks, unless told otherwise. */
    public long count() {
        return count;
    }

    /** Milliseconds of a frame or tick, unless told otherwise. */
    public double periodMillis() {
        return periodMillis;
    }

    /** Whether its unit of work is a tick. */
    public boolean isServer() {
        return isServer;
    }

    /** The one of this name. */
    public static Optional<Workload> named(String text) {
        return Arrays.stream(values()).filter(one -> one.text.equals(text)).findFirst();
    }

    /** All names. */
    public static List<String> names() {
        return Arrays.stream(values()).map(Workload::text).toList();
    }

    /** Compiles it into the folder. */
    public Path compile(Path folder) throws IOException, InterruptedException {
        return CProgram.compile(folder, Workload.class, text, List.of("workload.h"));
    }
}
