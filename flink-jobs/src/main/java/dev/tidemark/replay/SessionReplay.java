package dev.tidemark.replay;

import dev.tidemark.schemas.EventColumns;
import dev.tidemark.schemas.Operation;
import dev.tidemark.schemas.avro.EndReason;
import dev.tidemark.schemas.avro.MarkCounters;
import dev.tidemark.schemas.avro.MarkKind;
import dev.tidemark.schemas.avro.MemorySample;
import dev.tidemark.schemas.avro.SessionEnd;
import dev.tidemark.schemas.avro.ThreadCounters;
import dev.tidemark.schemas.lake.LakeTables;
import org.jspecify.annotations.Nullable;

/** One session's events, in order, to rows. The order is the caller's business. */
final class SessionReplay {
    private static final int VERSION = 2;
    private static final long MAX_ORDINAL = 1L << 60;

    private final SessionQuality quality = new SessionQuality();
    private final SessionClock clock = new SessionClock(quality);
    private final ThreadTable threads;
    private final SessionSpans spans;
    private final LiveSet live;
    private final MemorySamples memory = new MemorySamples();
    private final CounterTable counters = new CounterTable();
    private final RowSink rows;
    private final @Nullable EventRecorder recorder;

    private SessionHeader header;
    private boolean isFirstWriteTimed;
    private long events;
    private long nextEvent;
    private long nextBlock;

    SessionReplay(PageStore store, SessionHeader header, RowSink rows, boolean isWithEvents) {
        threads = new ThreadTable(store);
        spans = new SessionSpans(threads, rows);
        live = new LiveSet(new BlockTable(store), threads, spans, quality, rows);
        this.header = header;
        this.rows = rows;
        recorder = isWithEvents ? new EventRecorder(rows) : null;
        rows.header(header);
    }

    SessionHeader header() {
        return header;
    }

    void header(SessionHeader seen) {
        header = seen;
        rows.header(seen);
    }

    SessionQuality quality() {
        return quality;
    }

    BlockTable blocks() {
        return live.table();
    }

    /**
     * Replays a block of events.
     *
     * @throws IllegalRecordException when its head can't be; nothing has been replayed then
     */
    void events(EventColumns columns) throws IllegalRecordException {
        requireHead(columns);
        anchor(columns);
        memory.release(columns.firstTimeNs(), live.bytes(), rows::emit);
        clock.seen(columns.firstTimeNs());
        isFirstWriteTimed |= columns.isFirstWriteTimed();
        long nextSampleNs = memory.nextNs();
        for (int i = 0; i < columns.size(); i++) {
            long atNs = clock.event(columns.timeNs(i));
            if (nextSampleNs < atNs) {
                memory.release(atNs, live.bytes(), rows::emit);
                nextSampleNs = memory.nextNs();
            }
            int operation = columns.operation(i);
            if (operation < Operation.MALLOC || operation > Operation.MISSED_FREE) {
                other(columns, i, operation, atNs);
            } else if (live.call(columns, i, operation) && recorder != null) {
                recorder.record(columns, i, atNs, live.releasedBytes(), header);
                spans.locate(recorder, header);
            }
        }
        live.settle();
        if (recorder != null) {
            recorder.send();
        }
        clock.seen(clock.eventNs());
        events += columns.size();
        nextEvent = columns.firstEvent() + columns.size();
        nextBlock = columns.nextBlock();
        rows.count(ReplayCount.EVENTS, columns.size());
    }

    private static void requireHead(EventColumns columns) throws IllegalRecordException {
        if (columns.firstBlock() > MAX_ORDINAL || columns.firstEvent() > MAX_ORDINAL) {
            throw new IllegalRecordException(
                    "head of event block: first_event %d, first_block %d; no session gets to %d"
                            .formatted(columns.firstEvent(), columns.firstBlock(), MAX_ORDINAL));
        }
    }

    /** Takes the head's word for where the session stands. */
    private void anchor(EventColumns columns) {
        boolean isHole = columns.firstEvent() != nextEvent || columns.firstBlock() != nextBlock;
        if (isHole || columns.isDropping()) {
            spans.miss();
        }
        live.said(columns.liveBytes(), columns.liveBlocks());
        live.beginStretch();
        live.leaveThread();
        dropped(columns.droppedBefore());
        quality.sentTimeInversions = Math.max(quality.sentTimeInversions, columns.timeInversions());
        live.forgetStaleBlocks();
    }

    private void other(EventColumns columns, int i, int operation, long atNs) {
        switch (operation) {
            case Operation.FRAME -> mark(MarkKind.FRAME, columns, i, atNs);
            case Operation.TICK -> mark(MarkKind.TICK, columns, i, atNs);
            case Operation.PHASE -> {
                live.settle();
                spans.beginPhase(columns.name(i), atNs, live.bytes());
            }
            case Operation.VALUE -> rows.emit(valueRow(columns, i, atNs));
            case Operation.TRIM -> rows.emit(trimRow(columns, i, atNs));
            default -> rows.count(ReplayCount.UNKNOWN_OPERATIONS, 1);
        }
        live.leaveThread();
    }

    private void mark(MarkKind kind, EventColumns columns, int i, long atNs) {
        live.settle();
        long switches =
                columns.areSwitchesCounted() ? columns.involuntarySwitches(i) : SpanMark.UNKNOWN;
        mark(new SpanMark(kind, spans.next(kind), atNs, columns.thread(i), switches));
        if (columns.isDropping()) {
            spans.miss();
        }
    }

    private void mark(SpanMark mark) {
        spans.mark(mark, live.bytes(), live.blocks(), measured());
    }

    private Measured measured() {
        if (counters.isUsed()) {
            return counters.measured();
        }
        boolean isTimed = header.isTimed();
        return new Measured(isTimed, isTimed, isFirstWriteTimed, true);
    }

    /**
     * Takes a mark and the sums at it.
     *
     * @throws IllegalRecordException when it marks neither a frame nor a tick, or can't be
     */
    void counters(MarkCounters mark) throws IllegalRecordException {
        long saidNs = SessionClock.requireTime(mark.getAtNs());
        if (mark.getMark() == MarkKind.UNKNOWN) {
            throw new IllegalRecordException("mark is UNKNOWN, neither FRAME nor TICK");
        }
        spans.liesInPhase(mark.getPhase(), clock.eventNs(), live.bytes());
        long atNs = clock.event(saidNs);
        clock.seen(atNs);
        long liveBefore = live.bytes();
        for (ThreadCounters sums : mark.getThreads()) {
            live.add(threads.indexOf(sums.getThread()), counters.since(sums, liveBefore));
        }
        live.said(mark.getLiveBytes(), mark.getLiveBlocks());
        live.peaked(Math.max(mark.getLiveBytes(), mark.getPeakLiveBytes()));
        dropped(mark.getDroppedEvents() - quality.droppedEvents);
        live.settle();
        memory.release(atNs, live.bytes(), rows::emit);
        mark(
                new SpanMark(
                        mark.getMark(),
                        mark.getOrdinal(),
                        atNs,
                        mark.getThread(),
                        counters.involuntarySwitches()));
    }

    private void dropped(long more) {
        if (more > 0) {
            spans.miss();
            quality.droppedEvents += more;
            rows.count(ReplayCount.DROPPED_EVENTS, more);
        }
    }

    private static RowBuilder valueRow(EventColumns columns, int i, long atNs) {
        double value = columns.value(i);
        return RowBuilder.of(LakeTables.VALUES)
                .at(atNs)
                .set("at_ns", atNs)
                .set("name", columns.name(i))
                .setIf(Double.isFinite(value), "value", value);
    }

    private RowBuilder trimRow(EventColumns columns, int i, long atNs) {
        long returnedBytes = columns.returnedBytes(i);
        return RowBuilder.of(LakeTables.TRIMS)
                .at(atNs)
                .set("at_ns", atNs)
                .set("thread", columns.thread(i))
                .setIf(header.isTimed(), "duration_ns", columns.durationNs(i))
                .setIf(
                        returnedBytes != EventColumns.UNKNOWN_BYTES,
                        "returned_bytes",
                        returnedBytes);
    }

    /** Takes a memory sample; a replay is sampled on after its end. */
    void memory(MemorySample sample) throws IllegalRecordException {
        long atNs = SessionClock.requireTime(sample.getAtNs());
        if (!header.isReplay()) {
            clock.seen(atNs);
        }
        memory.add(sample, live.bytes(), rows::emit);
    }

    /** Names a thread. */
    void thread(int number, @Nullable String name) throws IllegalRecordException {
        if (number < 0) {
            throw new IllegalRecordException("thread is " + number + ", below 0");
        }
        threads.name(number, name);
    }

    /** Ends the session: gives all rows that wait, and the last of {@code sessions}. */
    void end(SessionEnd end, RevisionFacts facts) throws IllegalRecordException {
        clock.seen(SessionClock.requireTime(end.getAtNs()));
        if (end.getEventsSent() != nextEvent && !counters.isUsed()) {
            spans.miss();
        }
        quality.droppedEvents = Math.max(quality.droppedEvents, end.getEventsDropped());
        memory.releaseAll(live.bytes(), rows::emit);
        spans.last(clock.newestNs(), live.bytes(), live.blocks(), measured(), null);
        RowBuilder row =
                sessionRow("closed", facts)
                        .set("ended_at", header.wallClockUs(clock.newestNs()))
                        .set("end_reason", reason(end))
                        .setIf(end.getReason() == EndReason.EXIT, "exit_code", end.getExitCode());
        if (end.getReplay() != null) {
            OutcomeColumns.fill(row, end.getReplay());
        }
        rows.emit(row);
    }

    private static @Nullable String reason(SessionEnd end) {
        return end.getReason() == EndReason.SIGNAL && end.getSignal() != null
                ? "signal " + end.getSignal()
                : SessionHeader.word(end.getReason());
    }

    /** Gives all rows that wait as those of a loss, and keeps them. */
    void lose(RevisionFacts facts) {
        memory.peek(live.bytes(), row -> rows.emit(row.set("loss", facts.losses())));
        spans.last(clock.newestNs(), live.bytes(), live.blocks(), measured(), facts.losses());
        rows.emit(
                sessionRow("lost", facts)
                        .set("ended_at", header.wallClockUs(clock.newestNs()))
                        .set("end_reason", "lost"));
    }

    /** Gives a row of {@code sessions} as it stands. */
    void revise(RevisionFacts facts) {
        rows.emit(sessionRow("open", facts));
    }

    private RowBuilder sessionRow(String state, RevisionFacts facts) {
        RowBuilder row =
                RowBuilder.of(LakeTables.SESSIONS)
                        .set("state", state)
                        .set("observed_at", header.wallClockUs(clock.newestNs()))
                        .set("duration_ns", clock.newestNs())
                        .set("events", events)
                        .set("end_live_bytes", live.bytes())
                        .set("end_live_blocks", live.blocks());
        header.fill(row);
        spans.fill(row, measured());
        quality.fill(row);
        facts.fill(row);
        memory.fill(row);
        if (!header.isReplay()) {
            memory.fillHeld(row, live.bytes(), spans.peakLiveBytes(), !state.equals("open"));
        }
        return row;
    }

    /** Writes what changed to the store, but for what is in {@code head}. */
    void flush(StateWriter head) {
        BlockTable table = live.table();
        table.flush();
        threads.flush();
        head.writeLong(VERSION);
        head.writeLong(table.blocks()).writeLong(table.newestPage());
        head.writeLong(threads.count());
        spans.write(head);
        memory.write(head);
        counters.write(head);
        quality.write(head);
        head.writeLong(live.bytes()).writeLong(live.blocks()).writeLong(events);
        head.writeLong(nextEvent).writeLong(nextBlock).writeBoolean(isFirstWriteTimed);
        clock.write(head);
    }

    /** Reads what {@link #flush} wrote. */
    void restore(StateReader head) {
        long version = head.readLong();
        if (version != VERSION) {
            throw new IllegalStateException(
                    "a replay in the checkpoint has version "
                            + version
                            + ", this build reads "
                            + VERSION);
        }
        live.table().restored(head.readLong(), head.readLong());
        threads.restore(head.readInt());
        spans.read(head);
        memory.read(head);
        counters.read(head);
        quality.read(head);
        live.restore(head.readLong(), head.readLong());
        events = head.readLong();
        nextEvent = head.readLong();
        nextBlock = head.readLong();
        isFirstWriteTimed = head.readBoolean();
        clock.read(head);
    }
}
