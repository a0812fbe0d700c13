package dev.tidemark.ingest.agent;

import dev.tidemark.ingest.proc.HostFacts;
import dev.tidemark.ingest.proc.RecordedProcess;
import dev.tidemark.ingest.proc.Salt;
import dev.tidemark.ingest.ring.RingFile;
import dev.tidemark.ingest.sink.TraceSink;
import dev.tidemark.schemas.avro.EndReason;
import dev.tidemark.schemas.avro.Host;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * The files of a ring folder and their sessions. {@link #round} and {@link #close} are for the
 * agent's thread, the rest for any.
 */
final class RingFolder {
    private static final long SCAN_NS = 50_000_000L;
    private static final long IDLE_SCAN_NS = 5_000_000L;
    private static final long CHECK_NS = 20_000_000L;
    private static final long UNSEEN_SILENCE_NS = 60_000_000_000L;
    private static final long UNMAP_BYTES = 256L << 20;
    private static final int MAX_REFUSED = 10_000;
    private static final int MAX_ERROR_BYTES = 1_000;

    private final AgentOptions options;
    private final TraceSink sink;
    private final AgentListener listener;
    private final @Nullable Salt salt;
    private final Host host;
    private final AgentMetrics metrics;
    private final MemorySampler sampler = new MemorySampler();
    private final long agentPid = ProcessHandle.current().pid();

    private final List<ServedRing> served = new ArrayList<>();
    private final Set<Path> refused = new HashSet<>();
    private static final int SIGNAL_EXIT_CODES = 128;

    private final Map<Long, ProcessEnd> ends = new ConcurrentHashMap<>();
    private final Queue<CompletableFuture<Void>> waiters = new ConcurrentLinkedQueue<>();
    private boolean isNamespaceShared;
    private volatile boolean isScanDue = true;
    private long scannedAtNs = System.nanoTime();
    private long checkedAtNs = System.nanoTime();
    private long closedBytes;

    RingFolder(AgentOptions options, TraceSink sink, AgentListener listener) throws IOException {
        this.options = options;
        this.sink = sink;
        this.listener = listener;
        salt = salt(options, listener);
        host = HostFacts.read(salt);
        metrics = new AgentMetrics(options.version());
        isNamespaceShared = !options.endWait().isZero();
    }

    /** Without a salt nothing is hashed and nothing told that would need it; recording goes on. */
    private static @Nullable Salt salt(AgentOptions options, AgentListener listener) {
        Path path = options.salt();
        if (path == null) {
            return null;
        }
        try {
            return Salt.readOrMake(path);
        } catch (IOException e) {
            listener.error(
                    "no salt, so sessions don't say their host: "
                            + path
                            + " can't be read or made ("
                            + e.getClass().getSimpleName()
                            + "); set XDG_CONFIG_HOME to a folder of yours");
            return null;
        }
    }

    void processEnded(long pid, ProcessEnd end) {
        ends.put(pid, end);
        isScanDue = true;
    }

    CompletableFuture<Void> whenDrained() {
        CompletableFuture<Void> drained = new CompletableFuture<>();
        waiters.add(drained);
        return drained;
    }

    AgentStatus status() {
        return metrics.status();
    }

    String metrics() {
        return metrics.text();
    }

    /** How full the fullest ring was in the last round. */
    double fillRatio() {
        return metrics.fillRatio();
    }

    /** Finds files, moves everything on, notices ends. */
    void round() {
        long nowNs = System.nanoTime();
        List<CompletableFuture<Void>> waiting = new ArrayList<>(waiters);
        if (!waiting.isEmpty() || isScanDue || nowNs - scannedAtNs > scanNs()) {
            isScanDue = false;
            scannedAtNs = nowNs;
            scan(nowNs);
        }
        double fill = 0;
        for (ServedRing ring : List.copyOf(served)) {
            fill = Math.max(fill, poll(ring));
        }
        metrics.fillRatio(fill);
        if (!waiting.isEmpty() || nowNs - checkedAtNs > CHECK_NS) {
            checkedAtNs = nowNs;
            noticeEnds(nowNs);
            metrics.update(served, sink.trouble());
        }
        if (!waiting.isEmpty() && served.stream().noneMatch(ServedRing::isOver)) {
            // Only this thread takes waiters out, so these are the first.
            waiting.forEach(waiter -> waiters.remove());
            finish(waiting);
        }
    }

    /** With nothing to serve yet, the next process is about to start. */
    private long scanNs() {
        return served.isEmpty() ? IDLE_SCAN_NS : SCAN_NS;
    }

    private void finish(List<CompletableFuture<Void>> waiting) {
        try {
            sink.flush();
            waiting.forEach(waiter -> waiter.complete(null));
        } catch (IOException e) {
            waiting.forEach(waiter -> waiter.completeExceptionally(e));
        }
    }

    private void scan(long nowNs) {
        List<RingFileName> found = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(options.rings())) {
            for (Path path : files) {
                RingFileName name = RingFileName.parse(path);
                if (name != null && !refused.contains(path) && !isServed(path)) {
                    found.add(name);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            error(options.rings() + ": the folder can't be read: " + e.getMessage());
            return;
        }
        found.sort(Comparator.comparingLong(RingFileName::stamp));
        for (RingFileName name : found) {
            if (name.reason() != null) {
                takeError(name, name.reason());
            } else {
                serve(name, nowNs);
            }
        }
    }

    private boolean isServed(Path path) {
        return served.stream().anyMatch(ring -> ring.name.path().equals(path));
    }

    private void takeError(RingFileName name, String reason) {
        String text = "";
        try {
            if (Files.isRegularFile(name.path(), LinkOption.NOFOLLOW_LINKS)) {
                try (var in = Files.newInputStream(name.path(), LinkOption.NOFOLLOW_LINKS)) {
                    text =
                            new String(in.readNBytes(MAX_ERROR_BYTES), StandardCharsets.UTF_8)
                                    .strip();
                }
            }
            Files.deleteIfExists(name.path());
        } catch (IOException e) {
            refuse(name.path());
        }
        error(RingFileError.line(name, reason, text).replaceAll("\\p{Cntrl}+", " "));
    }

    private void serve(RingFileName name, long nowNs) {
        RingFile file = null;
        try {
            file = RingFile.open(name.path());
            RecordedProcess process = RecordedProcess.find(file.pid(), file.processStartTicks());
            isNamespaceShared |= process != null && process.isOfThisNamespace();
            String earlier = readNote(name.sessionNote());
            if (earlier != null && process == null && isEmpty(file)) {
                close(file, name);
                return;
            }
            SessionSettings settings = SessionSettings.of(file.settings(), file.executable());
            MetricGroup group = metrics.group(settings);
            RecordedSession session =
                    new RecordedSession(
                            file,
                            settings,
                            process,
                            earlier,
                            options,
                            salt,
                            host,
                            sink,
                            group::addTick,
                            listener);
            file.heartbeat(System.nanoTime(), agentPid);
            Files.writeString(name.sessionNote(), session.id() + "\n");
            session.startSampling(sampler, options.memoryInterval());
            served.add(new ServedRing(name, session, new MetricGroup.Share(group), nowNs));
            metrics.began();
            listener.sessionStarted(session.id(), file.pid(), settings.title());
        } catch (IOException | InternalError e) {
            refuse(name.path());
            error(line(name, e));
            closeQuietly(file);
        }
    }

    /** The session that an earlier agent began on this file; null for none. */
    private static @Nullable String readNote(Path note) throws IOException {
        if (!Files.isRegularFile(note, LinkOption.NOFOLLOW_LINKS)) {
            return null;
        }
        String id = Files.readString(note, StandardCharsets.UTF_8).strip();
        return id.matches("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}") ? id : null;
    }

    private static boolean isEmpty(RingFile file) throws IOException {
        for (int i = 0; i < file.ringsUsed(); i++) {
            if (file.ring(i).head() != file.ring(i).tail()) {
                return false;
            }
        }
        return true;
    }

    private double poll(ServedRing ring) {
        try {
            long nowNs = System.nanoTime();
            ring.session.file().heartbeat(nowNs, agentPid);
            if (ring.session.poll(nowNs) > 0) {
                ring.activeAtNs = nowNs;
            }
            return ring.session.fillRatio();
        } catch (IOException | UncheckedIOException | InternalError e) {
            abandon(ring, e);
            return 0;
        }
    }

    private void noticeEnds(long nowNs) {
        if (served.stream().anyMatch(ring -> !ring.isOver() && isDead(ring, nowNs))) {
            scan(nowNs); // its last image may have come and gone since the last one
        }
        for (ServedRing ring : List.copyOf(served)) {
            ServedRing next =
                    served.stream().filter(ring::isEarlierImageOf).findFirst().orElse(null);
            if (next != null) {
                ring.isReplaced = true;
                long atNs = next.session.file().start().monotonicNs();
                end(ring, EndReason.EXEC, ProcessEnd.at(atNs));
            } else if (isDead(ring, nowNs)) {
                ring.die(nowNs);
                endDead(ring, nowNs);
            }
        }
    }

    private void endDead(ServedRing ring, long nowNs) {
        ProcessEnd told = ends.get(ring.name.pid());
        RingFile file = ring.session.file();
        if (told != null && isExitThatLooksLikeASignal(told, file)) {
            end(ring, EndReason.EXIT, new ProcessEnd(told.atNanoTime(), file.exitCode(), null));
        } else if (told != null) {
            end(ring, told.signal() == null ? EndReason.EXIT : EndReason.SIGNAL, told);
        } else if (file.isExited()) {
            end(ring, EndReason.EXIT, new ProcessEnd(ring.deadAtNs, file.exitCode(), null));
        } else if (nowNs - ring.deadAtNs >= options.endWait().toNanos()) {
            end(ring, EndReason.UNKNOWN, ProcessEnd.at(ring.deadAtNs));
        }
    }

    /**
     * A parent sees 128 + n for a death by signal n and for exit(128 + n); the program's own word
     * tells them apart.
     */
    private static boolean isExitThatLooksLikeASignal(ProcessEnd told, RingFile file) {
        return told.signal() != null
                && file.isExited()
                && file.exitCode() == SIGNAL_EXIT_CODES + told.signal();
    }

    private boolean isDead(ServedRing ring, long nowNs) {
        if (ring.isDead || ends.containsKey(ring.name.pid())) {
            return true;
        }
        if (ring.session.isProcessSeen()) {
            return !ring.session.isAlive();
        }
        // Not seen from the first: it was dead by then, or lives in a namespace of its own.
        return isNamespaceShared
                || ring.session.file().isExited()
                || nowNs - ring.activeAtNs > UNSEEN_SILENCE_NS;
    }

    private void end(ServedRing ring, EndReason reason, ProcessEnd end) {
        try {
            SessionSummary summary = ring.session.end(reason, end, true);
            remove(ring, summary);
            close(ring.session.file(), ring.name);
        } catch (IOException | UncheckedIOException | InternalError e) {
            abandon(ring, e);
        }
    }

    private void remove(ServedRing ring, SessionSummary summary) {
        served.remove(ring);
        ring.share.update(ring.session.builder());
        listener.sessionEnded(summary);
    }

    /** What can't be read or sent on is left alone; the process goes on without an agent. */
    private void abandon(ServedRing ring, Throwable cause) {
        served.remove(ring);
        refuse(ring.name.path());
        ring.session.stopSampling();
        error(line(ring.name, cause));
        ring.share.update(ring.session.builder());
        closeQuietly(ring.session.file());
    }

    private static String line(RingFileName name, Throwable cause) {
        if (cause instanceof InternalError) {
            return name.path() + ": not a ring file that can be read: it was cut while it was read";
        }
        String text = String.valueOf(cause.getMessage());
        Throwable inner = cause instanceof UncheckedIOException ? cause.getCause() : null;
        return inner == null ? text : String.valueOf(inner.getMessage());
    }

    private void close(RingFile file, RingFileName name) throws IOException {
        long bytes = file.touchedBytes();
        file.close();
        Files.deleteIfExists(name.path());
        Files.deleteIfExists(name.sessionNote());
        closedBytes += bytes;
        if (closedBytes > UNMAP_BYTES) {
            // Java unmaps what is garbage, and the pages of a deleted file live as long as a
            // mapping.
            closedBytes = 0;
            System.gc();
        }
    }

    private void closeQuietly(@Nullable RingFile file) {
        try {
            if (file != null) {
                file.close();
            }
        } catch (IOException e) {
            error(file.path() + ": " + e.getMessage());
        }
    }

    private void refuse(Path path) {
        if (refused.size() >= MAX_REFUSED) {
            refused.clear();
        }
        refused.add(path);
    }

    private void error(String line) {
        metrics.error(line);
        listener.error(line);
    }

    void failed(Throwable cause) {
        error("the agent stopped: " + cause);
        waiters.forEach(waiter -> waiter.completeExceptionally(cause));
    }

    /** Ends what is open as stopped. */
    void close() {
        long nowNs = System.nanoTime();
        noticeEnds(nowNs);
        for (ServedRing ring : List.copyOf(served)) {
            boolean isOver = isDead(ring, nowNs);
            try {
                SessionSummary summary =
                        ring.session.end(
                                isOver ? EndReason.UNKNOWN : EndReason.STOPPED,
                                ProcessEnd.at(nowNs),
                                isOver);
                remove(ring, summary);
                if (isOver) {
                    close(ring.session.file(), ring.name);
                } else {
                    ring.session.file().close();
                }
            } catch (IOException | UncheckedIOException | InternalError e) {
                abandon(ring, e);
            }
        }
        sampler.close();
        waiters.forEach(
                waiter -> waiter.completeExceptionally(new IOException("the agent was closed")));
    }
}
