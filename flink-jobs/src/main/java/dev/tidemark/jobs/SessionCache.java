package dev.tidemark.jobs;

import dev.tidemark.replay.PageStore;
import dev.tidemark.replay.ReplayTools;
import dev.tidemark.replay.ReplayedSession;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The sessions of one operator that are on the heap, bounded in number and in live blocks; those
 * used last stay. The page store is that of the current key, so the key is set before a session is
 * touched, and set back after.
 */
final class SessionCache {
    private static final int MAX_SESSIONS = 10_000;

    private final PageStore pages;
    private final ReplayTools tools;
    private final Consumer<String> currentKey;
    private final long maxHeapBytes;
    private final Map<String, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);
    private long heapBytes;

    /** A session, and when its timers last heard of it. */
    static final class Entry {
        final ReplayedSession session;
        long lastSeenMs;
        long nextTimerMs;
        private long countedHeapBytes;

        private Entry(ReplayedSession session) {
            this.session = session;
        }
    }

    SessionCache(
            PageStore pages, ReplayTools tools, Consumer<String> currentKey, long maxHeapBytes) {
        this.pages = pages;
        this.tools = tools;
        this.currentKey = currentKey;
        this.maxHeapBytes = maxHeapBytes;
    }

    /** The session of the current key. */
    Entry get(String sessionId) {
        return entries.computeIfAbsent(
                sessionId, id -> new Entry(ReplayedSession.open(id, pages, tools)));
    }

    /** Writes a session out and lets go of it; it is that of the current key. */
    void release(String sessionId) {
        Entry entry = entries.remove(sessionId);
        if (entry != null) {
            entry.session.flush();
            heapBytes -= entry.countedHeapBytes;
        }
    }

    /** Goes back below the bounds, after the session of the current key was used. */
    void trim(String sessionId) {
        Entry used = entries.get(sessionId);
        if (used != null) {
            recount(used);
        }
        while (entries.size() > MAX_SESSIONS || (heapBytes > maxHeapBytes && entries.size() > 1)) {
            String eldest = entries.keySet().iterator().next();
            currentKey.accept(eldest);
            release(eldest);
        }
        currentKey.accept(sessionId);
        if (used != null && heapBytes > maxHeapBytes) {
            used.session.shrink(maxHeapBytes / 2);
            recount(used);
        }
    }

    private void recount(Entry entry) {
        long now = entry.session.heapBytes();
        heapBytes += now - entry.countedHeapBytes;
        entry.countedHeapBytes = now;
    }

    /** Writes what changed in any session. The current key is another one afterwards. */
    void flush() {
        entries.forEach(
                (sessionId, entry) -> {
                    currentKey.accept(sessionId);
                    entry.session.flush();
                });
    }
}
