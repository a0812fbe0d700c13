package dev.tidemark.ingest.agent;

import dev.tidemark.ingest.merge.RingMerger;
import dev.tidemark.ingest.merge.StampClock;
import dev.tidemark.ingest.proc.MemoryReader;
import dev.tidemark.ingest.proc.RecordedProcess;
import dev.tidemark.ingest.proc.Salt;
import dev.tidemark.ingest.ring.RingFile;
import dev.tidemark.ingest.sink.TraceSink;
import dev.tidemark.schemas.Operation;
import dev.tidemark.schemas.avro.EndReason;
import dev.tidemark.schemas.avro.Host;
import dev.tidemark.schemas.avro.MemorySample;
import dev.tidemark.schemas.avro.SessionEnd;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** One ring file on its way into the stream. For the agent's thread. */
final class RecordedSession {
    private static final int MAX_QUEUED_RECORDS = 1 << 20;
    private static final long MAX_HELD_BYTES = 16 << 20;
    private static final long SECOND_NS = 1_000_000_000L;
    private static final long MOMENT_NS = 10_000_000L;

    /** A moment on two clocks, for the sampler's thread. */
    private record Moment(long nanoTime, long sessionNs) {
        long sessionNsNow() {
            return sessionNs + Math.max(0, System.nanoTime() - nanoTime);
        }
    }

    private final RingFile file;
    private final String id;
    private final SessionHead head;
    private final @Nullable RecordedProcess process;
    private final StampClock clock;
    private final MarkTracks tracks;
    private final RecordOutput output;
    private final ThreadTable threads;
    private final BlockBuilder builder;
    private final RingMerger merger;
    private final AtomicLong ringBytes = new AtomicLong();
    private final AtomicLong residentBytes = new AtomicLong();
    private final Queue<MemorySample> samples = new ConcurrentLinkedQueue<>();
    private MemorySampler.@Nullable Sampled sampled;

    private volatile Moment moment;
    private long droppedWithoutRing;
    private long cutAtNs;
    private long secondAtNs;

    /**
     * Begins a session; nothing is sent yet.
     *
     * @param process null when it can't be seen from here
     * @param continuesId the session of the same image that an earlier agent began, or null
     * @param tickCosts told the allocator's time in each tick
     */
    RecordedSession(
            RingFile file,
            SessionSettings settings,
            @Nullable RecordedProcess process,
            @Nullable String continuesId,
            AgentOptions options,
            @Nullable Salt salt,
            Host host,
            TraceSink sink,
            LongConsumer tickCosts,
            AgentListener listener)
            throws IOException {
        this.file = file;
        this.process = process;
        long nowMillis = System.currentTimeMillis();
        long nowNs = System.nanoTime();
        id = Uuids.version7(nowMillis);
        long originStamp = continuesId == null ? file.startStamp() : oldestUnread(file, nowNs);
        clock = new StampClock(originStamp, file.start(), file.stampsPerSecond());
        head =
                new SessionHead(
                        settings,
                        file.allocator(),
                        host,
                        options.version(),
                        startedAtUs(file, originStamp),
                        continuesId);
        tracks =
                new MarkTracks(
                        track(Operation.FRAME, settings.frames(), listener),
                        track(Operation.TICK, settings.ticks(), listener),
                        settings.role());
        output = new RecordOutput(id, nowMillis, sink);
        ThreadNames names =
                Objects.requireNonNullElse(settings.threadNames(), options.threadNames());
        threads = new ThreadTable(output, names, salt);
        builder = new BlockBuilder(output, tracks, threads, this::timeInversions, tickCosts);
        merger = new RingMerger(file, clock, builder, continuesId != null, MAX_QUEUED_RECORDS);
        droppedWithoutRing = continuesId == null ? 0 : file.droppedWithoutRing();
        moment = new Moment(nowNs, clock.nanosAt(nowNs));
        cutAtNs = nowNs;
        secondAtNs = nowNs;
    }

    private static MarkTrack track(int operation, String wanted, AgentListener listener) {
        try {
            return MarkTrack.of(operation, wanted);
        } catch (IllegalArgumentException e) {
            listener.error(e.getMessage() + "; auto is used");
            return MarkTrack.of(operation, "auto");
        }
    }

    /** Where a continuation begins: at the oldest record left, or now. */
    private static long oldestUnread(RingFile file, long nowNs) throws IOException {
        StampClock clock = new StampClock(file.startStamp(), file.start(), file.stampsPerSecond());
        var sync = file.sync();
        if (sync != null) {
            clock.update(sync, file.startStamp());
        }
        long oldest = Math.max(file.startStamp(), clock.stampAt(nowNs));
        for (int i = 0; i < file.ringsUsed(); i++) {
            var ring = file.ring(i);
            if (ring.readable(ring.tail(), ring.head()) > 0) {
                oldest = Math.min(oldest, ring.keyAt(ring.tail()));
            }
        }
        return oldest;
    }

    private static long startedAtUs(RingFile file, long originStamp) {
        double seconds = (double) (originStamp - file.startStamp()) / file.stampsPerSecond();
        return file.startRealtimeNs() / 1_000 + Math.round(seconds * 1e6);
    }

    private long timeInversions() {
        return merger.timeInversions();
    }

    RingFile file() {
        return file;
    }

    String id() {
        return id;
    }

    SessionSettings settings() {
        return head.settings();
    }

    BlockBuilder builder() {
        return builder;
    }

    double fillRatio() {
        return merger.fillRatio();
    }

    long residentBytes() {
        return residentBytes.get();
    }

    /** Whether the process was seen when the session began. */
    boolean isProcessSeen() {
        return process != null;
    }

    /** Whether the process, which was seen, still runs. */
    boolean isAlive() {
        return process != null && process.isAlive();
    }

    /** Begins to sample memory. */
    void startSampling(MemorySampler sampler, Duration otherwise) {
        Long millis = settings().memoryIntervalMs();
        Duration interval = millis == null ? otherwise : Duration.ofMillis(millis);
        if (process == null || interval.isZero()) {
            return;
        }
        sampled =
                sampler.start(
                        new MemoryReader(process),
                        () -> moment.sessionNsNow(),
                        ringBytes,
                        samples::add,
                        interval);
    }

    /**
     * Moves what is in the rings on.
     *
     * @return how many records came
     */
    int poll(long nowNs) throws IOException {
        file.checkLength();
        ringBytes.set(file.touchedBytes());
        int read = merger.poll(nowNs);
        takeDroppedWithoutRing();
        if (nowNs - moment.nanoTime() > MOMENT_NS) {
            moment = new Moment(nowNs, clock.nanosAt(nowNs));
        }
        sendSamples();
        openWhenKnown(clock.nanosAt(nowNs));
        builder.advanceTo(merger.watermarkNs());
        if (nowNs - cutAtNs > SECOND_NS) {
            builder.cut();
            cutAtNs = nowNs;
        }
        if (process != null && nowNs - secondAtNs > SECOND_NS) {
            threads.readNames(process);
            expireDeadThreads(process);
            secondAtNs = nowNs;
        }
        return read;
    }

    private void expireDeadThreads(RecordedProcess seen) {
        Set<Integer> tasks = seen.ownTaskIds();
        if (tasks != null) {
            merger.expireDeadThreads(tasks::contains);
        }
    }

    private void takeDroppedWithoutRing() {
        long now = file.droppedWithoutRing();
        if (now > droppedWithoutRing) {
            builder.dropped(now - droppedWithoutRing);
            droppedWithoutRing = now;
        }
    }

    private void sendSamples() throws IOException {
        for (MemorySample sample = samples.poll(); sample != null; sample = samples.poll()) {
            Long resident = sample.getRssBytes();
            residentBytes.set(resident == null ? 0 : resident);
            output.send(sample);
        }
    }

    private void openWhenKnown(long sessionNs) throws IOException {
        if (!output.isOpen()
                && (tracks.isKnown(sessionNs) || output.heldBytes() >= MAX_HELD_BYTES)) {
            open();
        }
    }

    private void open() throws IOException {
        builder.cut();
        tracks.settle();
        builder.opened(output.open(head.with(tracks), tracks));
    }

    /**
     * Sends what is left and the session's end.
     *
     * @param isEnded whether the process writes no more; else it goes on without this agent
     */
    SessionSummary end(EndReason reason, ProcessEnd end, boolean isEnded) throws IOException {
        stopSampling();
        if (isEnded) {
            merger.drain();
        } else {
            merger.stop(end.atNanoTime());
        }
        takeDroppedWithoutRing();
        sendSamples();
        if (!output.isOpen()) {
            open();
        }
        long endNs = Math.max(builder.lastNs(), clock.nanosAt(end.atNanoTime()));
        if (isStale(endNs)) {
            endNs = builder.lastNs();
        }
        builder.advanceTo(endNs);
        threads.tellUntold();
        builder.finish(endNs);
        output.send(
                SessionEnd.newBuilder()
                        .setAtNs(endNs)
                        .setReason(reason)
                        .setExitCode(end.exitCode())
                        .setSignal(end.signal())
                        .setEventsSent(builder.events())
                        .setEventsDropped(builder.droppedEvents())
                        .build());
        return summary(reason, end, endNs);
    }

    /** A process that was dead before this agent came ended who knows when. */
    private boolean isStale(long endNs) {
        return process == null && endNs - builder.lastNs() > SECOND_NS;
    }

    void stopSampling() {
        if (sampled != null) {
            sampled.stop();
        }
    }

    private SessionSummary summary(EndReason reason, ProcessEnd end, long endNs)
            throws IOException {
        return new SessionSummary(
                id,
                file.pid(),
                settings().title(),
                file.executable(),
                reason,
                end.exitCode(),
                end.signal(),
                endNs,
                builder.events(),
                builder.allocations(),
                builder.frames(),
                builder.ticks(),
                threads.threads(),
                builder.liveBytes(),
                builder.liveBlocks(),
                builder.droppedEvents(),
                merger.counts(),
                tracks.ignored(),
                tracks.frames().definition(),
                tracks.ticks().definition(),
                file.childProcesses(),
                file.childExecutable(),
                file.waitedNs(),
                RingShortage.of(file));
    }
}
