package dev.tidemark.ingest.agent;

import org.jspecify.annotations.Nullable;

/**
 * How a process ended, as its parent knows.
 *
 * @param atNanoTime when
 * @param exitCode null when a signal ended it
 * @param signal null when it exited
 */
record ProcessEnd(long atNanoTime, @Nullable Integer exitCode, @Nullable Integer signal) {

    /** An end of which only the time is known. */
    static ProcessEnd at(long nanoTime) {
        return new ProcessEnd(nanoTime, null, null);
    }
}
