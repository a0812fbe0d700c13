package dev.tidemark.jobs;

import dev.tidemark.jobs.wire.DeadLetter;
import dev.tidemark.jobs.wire.SessionRecord;
import dev.tidemark.jobs.wire.WireType;
import dev.tidemark.replay.EventBatch;
import dev.tidemark.replay.InboundRecord;
import dev.tidemark.replay.LakeRow;
import dev.tidemark.replay.ReplayCount;
import dev.tidemark.replay.ReplayOutput;
import dev.tidemark.replay.ReplayTools;
import dev.tidemark.schemas.TraceDecoder;
import dev.tidemark.schemas.TraceFormatException;
import dev.tidemark.schemas.lake.LakeTables;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.metrics.Counter;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.InternalTimer;
import org.apache.flink.streaming.api.operators.InternalTimerService;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.Triggerable;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;

/**
 * The replay in Flink, keyed by session id. Sessions lie on the heap; before a checkpoint's barrier
 * what changed in them is written to keyed state, so that an incremental checkpoint carries just
 * that.
 *
 * <p>Main output: rows of small tables. Side outputs: frames and ticks, events, dead letters.
 *
 * <p>Timers of a session: by the job's clock, for silence and for letting go of a lost or closed
 * one; by event time at the end of time, which comes when a bounded input ends or the job is
 * drained: what is open then is lost.
 */
final class ReplayOperator extends AbstractStreamOperator<LakeRow>
        implements OneInputStreamOperator<SessionRecord, LakeRow>,
                Triggerable<String, VoidNamespace>,
                ReplayOutput {
    private static final long serialVersionUID = 1;

    static final OutputTag<LakeRow> SPANS = new OutputTag<>("spans", WireType.ROW);
    static final OutputTag<EventBatch> EVENTS = new OutputTag<>("events", WireType.EVENTS);
    static final OutputTag<DeadLetter> DEAD_LETTERS =
            new OutputTag<>("dead-letters-of-payloads", WireType.DEAD_LETTER);

    static final String PAGES = "pages";

    /** How long a lost session is kept, in case that records come after all. */
    static final long KEEP_LOST_MS = 24 * 3_600_000L;

    /** How long a closed session's epoch is kept, against records that are sent again. */
    static final long KEEP_CLOSED_MS = 30 * 24 * 3_600_000L;

    private static final long END_OF_TIME = Long.MAX_VALUE;

    private final TraceJobOptions options;

    private transient @Nullable Parts parts;

    ReplayOperator(TraceJobOptions options) {
        this.options = options;
    }

    /** What there is from {@link #open} on. */
    private record Parts(
            TopicSchemaLookup schemas,
            TraceDecoder decoder,
            SessionCache sessions,
            InternalTimerService<VoidNamespace> timers,
            ValueState<Long> closedAtMs,
            StatePages pages,
            Map<ReplayCount, Counter> counters,
            long openedAtMs) {}

    @Override
    public void open() throws Exception {
        super.open();
        MapState<Long, byte[]> state =
                getRuntimeContext()
                        .getMapState(
                                new MapStateDescriptor<>(
                                        PAGES, LongSerializer.INSTANCE, pageSerializer()));
        StatePages pages = new StatePages(state);
        TopicSchemaLookup schemas =
                new TopicSchemaLookup(options.bootstrapServers(), options.schemasTopic());
        TraceDecoder decoder = new TraceDecoder(schemas);
        ReplayTools tools = new ReplayTools(options.load(), decoder, this, options.isWithEvents());
        InternalTimerService<VoidNamespace> timers =
                getInternalTimerService("sessions", VoidNamespaceSerializer.INSTANCE, this);
        Map<ReplayCount, Counter> counters = new EnumMap<>(ReplayCount.class);
        for (ReplayCount count : ReplayCount.values()) {
            counters.put(count, getMetricGroup().counter(count.name().toLowerCase(Locale.ROOT)));
        }
        parts =
                new Parts(
                        schemas,
                        decoder,
                        new SessionCache(pages, tools, this::setCurrentKey, options.cacheBytes()),
                        timers,
                        getRuntimeContext()
                                .getState(
                                        new ValueStateDescriptor<>(
                                                "closed-at-ms", LongSerializer.INSTANCE)),
                        pages,
                        counters,
                        timers.currentProcessingTime());
    }

    private static org.apache.flink.api.common.typeutils.TypeSerializer<byte[]> pageSerializer() {
        return WireType.PAGE.createSerializer(
                new org.apache.flink.api.common.serialization.SerializerConfigImpl());
    }

    private Parts parts() {
        return Objects.requireNonNull(parts, "open comes first");
    }

    @Override
    public void processElement(StreamRecord<SessionRecord> element) throws Exception {
        Parts p = parts();
        InboundRecord record = element.getValue().record();
        String sessionId = element.getValue().sessionId();
        SessionCache.Entry entry = p.sessions.get(sessionId);
        boolean wasOpen = entry.session.isOpen();
        try {
            entry.session.accept(record, p.decoder.readEnvelope(record.bytes()));
        } catch (TraceFormatException e) {
            reject(record, String.valueOf(e.getMessage()));
        }
        entry.lastSeenMs = p.timers.currentProcessingTime();
        if (entry.session.isOpen()) {
            if (!wasOpen) {
                p.timers.registerEventTimeTimer(VoidNamespace.INSTANCE, END_OF_TIME);
                p.closedAtMs.clear();
            }
            wake(entry, entry.lastSeenMs + options.lostAfter().toMillis());
        } else if (wasOpen) {
            closed(sessionId);
        }
        p.sessions.trim(sessionId);
    }

    private void wake(SessionCache.Entry entry, long atMs) {
        boolean isSoonEnough = entry.nextTimerMs > 0 && entry.nextTimerMs <= atMs;
        if (!isSoonEnough) {
            parts().timers.registerProcessingTimeTimer(VoidNamespace.INSTANCE, atMs);
            entry.nextTimerMs = atMs;
        }
    }

    /** Keeps nothing of a closed session but its epoch. */
    private void closed(String sessionId) throws Exception {
        Parts p = parts();
        p.sessions.release(sessionId);
        p.timers.deleteEventTimeTimer(VoidNamespace.INSTANCE, END_OF_TIME);
        long nowMs = p.timers.currentProcessingTime();
        p.closedAtMs.update(nowMs);
        p.timers.registerProcessingTimeTimer(VoidNamespace.INSTANCE, nowMs + KEEP_CLOSED_MS);
    }

    @Override
    public void onProcessingTime(InternalTimer<String, VoidNamespace> timer) throws Exception {
        Parts p = parts();
        String sessionId = timer.getKey();
        Long closedAtMs = p.closedAtMs.value();
        if (closedAtMs != null) {
            if (timer.getTimestamp() >= closedAtMs + KEEP_CLOSED_MS) {
                p.sessions.release(sessionId);
                p.pages.clear();
                p.closedAtMs.clear();
            }
            return;
        }
        SessionCache.Entry entry = p.sessions.get(sessionId);
        entry.nextTimerMs = 0;
        long silentSinceMs = Math.max(entry.lastSeenMs, p.openedAtMs);
        long lostAtMs = silentSinceMs + options.lostAfter().toMillis();
        if (!entry.session.isOpen()) {
            return;
        }
        if (timer.getTimestamp() < lostAtMs) {
            wake(entry, lostAtMs);
        } else if (!entry.session.isLost()) {
            lose(sessionId, entry);
            wake(entry, timer.getTimestamp() + KEEP_LOST_MS);
        } else if (timer.getTimestamp() >= lostAtMs + KEEP_LOST_MS) {
            entry.session.close();
            closed(sessionId);
        } else {
            wake(entry, lostAtMs + KEEP_LOST_MS);
        }
    }

    @Override
    public void onEventTime(InternalTimer<String, VoidNamespace> timer) throws Exception {
        lose(timer.getKey(), parts().sessions.get(timer.getKey()));
    }

    private void lose(String sessionId, SessionCache.Entry entry) throws Exception {
        boolean wasOpen = entry.session.isOpen();
        entry.session.lose();
        if (wasOpen && !entry.session.isOpen()) {
            closed(sessionId);
        }
    }

    @Override
    public void prepareSnapshotPreBarrier(long checkpointId) {
        parts().sessions.flush();
    }

    @Override
    public void close() throws Exception {
        if (parts != null) {
            parts.schemas.close();
        }
        super.close();
    }

    @Override
    public void row(LakeRow row) {
        StreamRecord<LakeRow> element = new StreamRecord<>(row);
        String table = row.table().name();
        if (table.equals(LakeTables.FRAMES.name()) || table.equals(LakeTables.TICKS.name())) {
            output.collect(SPANS, element);
        } else {
            output.collect(element);
        }
    }

    @Override
    public void events(EventBatch batch) {
        output.collect(EVENTS, new StreamRecord<>(batch));
    }

    @Override
    public void reject(InboundRecord record, String reason) {
        output.collect(DEAD_LETTERS, new StreamRecord<>(new DeadLetter(record, reason)));
    }

    @Override
    public void count(ReplayCount what, long times) {
        Counter counter = parts().counters.get(what);
        if (counter != null) {
            counter.inc(times);
        }
    }
}
