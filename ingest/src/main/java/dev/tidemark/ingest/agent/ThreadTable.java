package dev.tidemark.ingest.agent;

import dev.tidemark.ingest.proc.RecordedProcess;
import dev.tidemark.ingest.proc.Salt;
import dev.tidemark.schemas.avro.ThreadInfo;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Living threads of a session and what was told of them. Tells each once, and again when renamed.
 */
final class ThreadTable {
    private static final class Entry {
        final int tid;
        boolean isTold;
        @Nullable String toldName;

        Entry(int tid) {
            this.tid = tid;
        }
    }

    private final RecordOutput output;
    private final ThreadNames names;
    private final @Nullable Salt salt;
    private final Map<Integer, Entry> entries = new LinkedHashMap<>();
    private long threads;

    ThreadTable(RecordOutput output, ThreadNames names, @Nullable Salt salt) {
        this.output = output;
        this.names = names;
        this.salt = salt;
    }

    /** Threads so far. */
    long threads() {
        return threads;
    }

    /** A thread has taken a ring. */
    void seen(int thread, int tid) {
        threads = Math.max(threads, thread + 1L);
        entries.computeIfAbsent(thread, t -> new Entry(tid));
    }

    /** A thread said its name. */
    void named(int thread, String name) {
        Entry entry = entries.get(thread);
        if (entry != null) {
            tell(thread, entry, name);
        }
    }

    /** A thread gave its ring back. */
    void ended(int thread) {
        Entry entry = entries.remove(thread);
        if (entry != null && !entry.isTold) {
            tell(thread, entry, null);
        }
    }

    /** Looks whether threads have been renamed. */
    void readNames(RecordedProcess process) {
        tellUntold();
        if (names == ThreadNames.OFF) {
            return;
        }
        entries.forEach(
                (thread, entry) -> {
                    String name = process.threadName(entry.tid);
                    if (name != null) {
                        tell(thread, entry, name);
                    }
                });
    }

    /** Tells threads that never said their name. */
    void tellUntold() {
        entries.forEach(
                (thread, entry) -> {
                    if (!entry.isTold) {
                        tell(thread, entry, null);
                    }
                });
    }

    private void tell(int thread, Entry entry, @Nullable String name) {
        String shown = shown(name);
        if (entry.isTold && Objects.equals(shown, entry.toldName)) {
            return;
        }
        entry.isTold = true;
        entry.toldName = shown;
        try {
            output.send(new ThreadInfo(thread, shown));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private @Nullable String shown(@Nullable String name) {
        if (name == null || names == ThreadNames.OFF) {
            return null;
        }
        if (names == ThreadNames.KEEP) {
            return name;
        }
        return salt == null ? null : salt.hash(name);
    }
}
