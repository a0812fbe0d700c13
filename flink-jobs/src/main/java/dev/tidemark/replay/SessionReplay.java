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
    private static final int VERSION = 1;
    private static final int MIN_ALIGNMENT_LOG2 = 4;
    private static final long MAX_ORDINAL = 1L << 60;
    private static final long MAX_STALE_BLOCKS = 1 << 20;

    private final BlockTable blocks;
    private final ThreadTable threads;
    private final SessionSpans spans;
    private final MemorySamples memory = new MemorySamples();
    private final CounterTable counters = new CounterTable();
    private final RowSink rows;
    private final @Nullable EventRecorder recorder;

    private SessionHeader header;
    private SessionQuality quality = new SessionQuality();

    /** Sums since the last mark or the block's start; not yet in any span. */
    private final CallTotals segment = new CallTotals(0);

    private long liveBytes;
    private long liveBlocks;
    private long events;
    private long nextEvent;
    private long nextBlock;
    private long eventNs;
    private long newestNs;

    private int thread = -1;
    private int threadIndex;

    SessionReplay(PageStore store, SessionHeader header, RowSink rows, boolean isWithEvents) {
        blocks = new BlockTable(store);
        threads = new ThreadTable(store);
        spans = new SessionSpans(threads, rows);
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
        return blocks;
    }

    /**
     * Replays a block of events.
     *
     * @throws IllegalRecordException when its head can't be; nothing has been replayed then
     */
    void events(EventColumns columns) throws IllegalRecordException {
        requireHead(columns);
        anchor(columns);
        memory.release(columns.firstTimeNs(), liveBytes, rows::emit);
        newestNs = Math.max(newestNs, columns.firstTimeNs());
        long nextSampleNs = memory.nextNs();
        thread = -1;
        for (int i = 0; i < columns.size(); i++) {
            long atNs = columns.timeNs(i);
            if (atNs < eventNs) {
                quality.clampedTimes++;
                atNs = eventNs;
            }
            eventNs = atNs;
            if (nextSampleNs < atNs) {
                memory.release(atNs, liveBytes, rows::emit);
                nextSampleNs = memory.nextNs();
            }
            int operation = columns.operation(i);
            if (operation >= Operation.MALLOC && operation <= Operation.MISSED_FREE) {
                if (columns.thread(i) != thread) {
                    thread = columns.thread(i);
                    threadIndex = threads.indexOf(thread);
                    spans.enter(threadIndex);
                }
                call(columns, i, operation);
            } else {
                other(columns, i, operation, atNs);
            }
        }
        flushSegment();
        if (recorder != null) {
            recorder.send();
        }
        newestNs = Math.max(newestNs, eventNs);
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
        if (columns.firstEvent() != nextEvent || columns.firstBlock() != nextBlock) {
            spans.miss();
        }
        long difference = columns.liveBytes() - liveBytes;
        if (difference != 0) {
            adjust(difference);
            liveBytes = columns.liveBytes();
        }
        liveBlocks = columns.liveBlocks();
        segment.clear(liveBytes);
        dropped(columns.droppedBefore());
        quality.sentTimeInversions = Math.max(quality.sentTimeInversions, columns.timeInversions());
        forgetStaleBlocks();
    }

    /** Blocks released in a hole stay in the table; when they are far too many, it begins anew. */
    private void forgetStaleBlocks() {
        long stale = blocks.blocks() - Math.max(0, liveBlocks);
        if (stale > MAX_STALE_BLOCKS && stale > liveBlocks) {
            rows.count(ReplayCount.FORGOTTEN_BLOCKS, blocks.blocks());
            blocks.clear();
        }
    }

    private void call(EventColumns columns, int i, int operation) {
        long released = columns.released(i);
        if (operation >= Operation.FREE) {
            if (released == EventColumns.NO_BLOCK) {
                return;
            }
            segment.freeCalls++;
            threads.freed(threadIndex);
            if (operation == Operation.MISSED_FREE) {
                quality.missedFrees++;
            }
            release(released);
        } else if (released == EventColumns.NO_BLOCK) {
            allocate(columns, i, true);
        } else if (columns.made(i) != EventColumns.NO_BLOCK) {
            release(released);
            long releasedSize = lastReleasedBytes;
            segment.reallocCalls++;
            allocate(columns, i, false);
            lastReleasedBytes = releasedSize;
        } else if (columns.sizeBytes(i) == 0) {
            segment.freeCalls++;
            threads.freed(threadIndex);
            release(released);
        } else {
            segment.failedCalls++;
        }
        if (operation != Operation.MISSED_FREE) {
            segment.took(columns.durationNs(i));
            threads.called(threadIndex, columns.durationNs(i));
        }
        if (liveBytes > segment.peakLiveBytes) {
            segment.peakLiveBytes = liveBytes;
        }
        if (recorder != null) {
            recorder.record(columns, i, eventNs, lastReleasedBytes, header);
            spans.locate(recorder, header);
        }
    }

    /** Size of the block released last, {@link EventBatch#NULL} when it was not known. */
    private long lastReleasedBytes;

    private void release(long block) {
        lastReleasedBytes = EventBatch.NULL;
        if (block == EventColumns.UNKNOWN_BLOCK) {
            quality.unknownFrees++;
        } else if (block == EventColumns.PREEXISTING_BLOCK) {
            quality.preexistingFrees++;
        } else if (blocks.take(block)) {
            long size = blocks.takenSize();
            lastReleasedBytes = size;
            liveBytes -= size;
            liveBlocks--;
            segment.freeBytes += size;
            spans.released(blocks);
            if (blocks.takenThread() != thread) {
                threads.freedAcross(threadIndex);
            }
        } else {
            quality.unknownFrees++;
            liveBlocks--;
        }
    }

    private void allocate(EventColumns columns, int i, boolean isNewBlock) {
        long size = columns.sizeBytes(i);
        long block = columns.made(i);
        if (block == EventColumns.NO_BLOCK && size != 0) {
            segment.failedCalls++;
            return;
        }
        segment.allocCalls += isNewBlock ? 1 : 0;
        segment.allocBytes += size;
        threads.allocated(threadIndex, size, isNewBlock);
        if (block != EventColumns.NO_BLOCK) {
            liveBytes += size;
            liveBlocks++;
            blocks.put(
                    block,
                    size,
                    spans.frame(),
                    spans.tick(),
                    thread,
                    alignmentLog2(columns.alignmentBytes(i)));
        }
    }

    private static int alignmentLog2(long alignmentBytes) {
        return alignmentBytes <= 1 << MIN_ALIGNMENT_LOG2
                ? MIN_ALIGNMENT_LOG2
                : Long.SIZE - Long.numberOfLeadingZeros(alignmentBytes - 1);
    }

    private void other(EventColumns columns, int i, int operation, long atNs) {
        switch (operation) {
            case Operation.FRAME -> mark(MarkKind.FRAME, atNs, columns.thread(i));
            case Operation.TICK -> mark(MarkKind.TICK, atNs, columns.thread(i));
            case Operation.PHASE -> {
                flushSegment();
                spans.beginPhase(columns.name(i), atNs, liveBytes);
            }
            case Operation.VALUE -> rows.emit(valueRow(columns, i, atNs));
            case Operation.TRIM -> rows.emit(trimRow(columns, i, atNs));
            default -> rows.count(ReplayCount.UNKNOWN_OPERATIONS, 1);
        }
        thread = -1;
    }

    private void mark(MarkKind kind, long atNs, int marker) {
        flushSegment();
        spans.mark(kind, spans.next(kind), atNs, marker, liveBytes, liveBlocks, measured());
    }

    private Measured measured() {
        if (counters.isUsed()) {
            return counters.measured();
        }
        boolean isTimed = header.isTimed();
        return new Measured(isTimed, isTimed, false, true);
    }

    /**
     * Takes a mark and the sums at it.
     *
     * @throws IllegalRecordException when it marks neither a frame nor a tick, or can't be
     */
    void counters(MarkCounters mark) throws IllegalRecordException {
        requireTime("at_ns", mark.getAtNs());
        if (mark.getMark() == MarkKind.UNKNOWN) {
            throw new IllegalRecordException("mark is UNKNOWN, neither FRAME nor TICK");
        }
        long atNs = Math.max(eventNs, mark.getAtNs());
        quality.clampedTimes += atNs > mark.getAtNs() ? 1 : 0;
        spans.liesInPhase(mark.getPhase(), eventNs, liveBytes);
        eventNs = atNs;
        newestNs = Math.max(newestNs, atNs);
        for (ThreadCounters sums : mark.getThreads()) {
            CallTotals change = counters.since(sums, liveBytes);
            int index = threads.indexOf(sums.getThread());
            spans.enter(index);
            threads.add(index, change);
            segment.add(change);
        }
        adjust(mark.getLiveBytes() - (liveBytes + segment.allocBytes - segment.freeBytes));
        liveBytes = mark.getLiveBytes();
        liveBlocks = mark.getLiveBlocks();
        segment.peakLiveBytes =
                Math.max(segment.peakLiveBytes, Math.max(liveBytes, mark.getPeakLiveBytes()));
        dropped(mark.getDroppedEvents() - quality.droppedEvents);
        flushSegment();
        memory.release(atNs, liveBytes, rows::emit);
        spans.mark(
                mark.getMark(),
                mark.getOrdinal(),
                atNs,
                mark.getThread(),
                liveBytes,
                liveBlocks,
                measured());
    }

    private void adjust(long difference) {
        spans.adjust(difference);
        quality.adjustedLiveBytes += difference;
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
        return RowBuilder.of(LakeTables.TRIMS)
                .at(atNs)
                .set("at_ns", atNs)
                .set("thread", columns.thread(i))
                .setIf(header.isTimed(), "duration_ns", columns.durationNs(i));
    }

    private void flushSegment() {
        spans.add(segment);
        rows.count(ReplayCount.ALLOCATIONS, segment.allocCalls + segment.reallocCalls);
        rows.count(ReplayCount.ALLOCATOR_NS, segment.allocatorNs);
        segment.clear(liveBytes);
    }

    /** Takes a memory sample. */
    void memory(MemorySample sample) throws IllegalRecordException {
        requireTime("at_ns", sample.getAtNs());
        newestNs = Math.max(newestNs, sample.getAtNs());
        memory.add(sample, liveBytes, rows::emit);
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
        requireTime("at_ns", end.getAtNs());
        newestNs = Math.max(newestNs, end.getAtNs());
        if (end.getEventsSent() != nextEvent && !counters.isUsed()) {
            spans.miss();
        }
        quality.droppedEvents = Math.max(quality.droppedEvents, end.getEventsDropped());
        memory.releaseAll(liveBytes, rows::emit);
        spans.last(newestNs, liveBytes, liveBlocks, measured(), null);
        rows.emit(
                sessionRow("closed", facts)
                        .set("ended_at", header.wallClockUs(newestNs))
                        .set("end_reason", reason(end))
                        .setIf(end.getReason() == EndReason.EXIT, "exit_code", end.getExitCode()));
    }

    private static void requireTime(String name, long ns) throws IllegalRecordException {
        if (ns < 0) {
            throw new IllegalRecordException(name + " is " + ns + ", below 0");
        }
    }

    private static @Nullable String reason(SessionEnd end) {
        return end.getReason() == EndReason.SIGNAL && end.getSignal() != null
                ? "signal " + end.getSignal()
                : SessionHeader.word(end.getReason());
    }

    /** Gives all rows that wait as those of a loss, and keeps them. */
    void lose(RevisionFacts facts) {
        memory.peek(liveBytes, row -> rows.emit(row.set("loss", facts.losses())));
        spans.last(newestNs, liveBytes, liveBlocks, measured(), facts.losses());
        rows.emit(
                sessionRow("lost", facts)
                        .set("ended_at", header.wallClockUs(newestNs))
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
                        .set("observed_at", header.wallClockUs(newestNs))
                        .set("duration_ns", newestNs)
                        .set("events", events)
                        .set("end_live_bytes", liveBytes)
                        .set("end_live_blocks", liveBlocks);
        header.fill(row);
        spans.fill(row, measured());
        quality.fill(row);
        facts.fill(row);
        memory.fill(
                row, liveBytes, spans.peakLiveBytes(), !state.equals("open") && !header.isReplay());
        return row;
    }

    /** Writes what changed to the store, but for what is in {@code head}. */
    void flush(StateWriter head) {
        blocks.flush();
        threads.flush();
        head.writeLong(VERSION);
        head.writeLong(blocks.blocks()).writeLong(blocks.newestPage());
        head.writeLong(threads.count());
        spans.write(head);
        memory.write(head);
        counters.write(head);
        quality.write(head);
        head.writeLong(liveBytes).writeLong(liveBlocks).writeLong(events);
        head.writeLong(nextEvent).writeLong(nextBlock).writeLong(eventNs).writeLong(newestNs);
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
        blocks.restored(head.readLong(), head.readLong());
        threads.restore(head.readInt());
        spans.read(head);
        memory.read(head);
        counters.read(head);
        quality = SessionQuality.read(head);
        liveBytes = head.readLong();
        liveBlocks = head.readLong();
        events = head.readLong();
        nextEvent = head.readLong();
        nextBlock = head.readLong();
        eventNs = head.readLong();
        newestNs = head.readLong();
        segment.clear(liveBytes);
    }
}
