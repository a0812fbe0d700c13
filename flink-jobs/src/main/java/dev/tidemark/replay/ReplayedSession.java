package dev.tidemark.replay;

import dev.tidemark.schemas.EventColumns;
import dev.tidemark.schemas.TraceEnvelope;
import dev.tidemark.schemas.TraceFormatException;
import dev.tidemark.schemas.avro.MarkCounters;
import dev.tidemark.schemas.avro.MemorySample;
import dev.tidemark.schemas.avro.SessionEnd;
import dev.tidemark.schemas.avro.SessionStart;
import dev.tidemark.schemas.avro.ThreadInfo;
import org.jspecify.annotations.Nullable;

/**
 * One session id: its records in any order, repeated or with some missing, to rows, once. A pass
 * with a higher epoch takes the place of the one before, as a load of its own; a closed one leaves
 * its epoch behind, so that a resent pass does not open again.
 *
 * <p>State lies on the heap until {@link #flush} writes what changed to the store; {@link #open}
 * reads it again. One thread; several sessions may share a {@link ReplayTools}.
 */
public final class ReplayedSession {
    private static final int VERSION = 1;
    private static final long NO_EPOCH = -1;
    private static final long MS_PER_MINUTE = 60_000;

    private final String sessionId;
    private final PageStore store;
    private final ReplayTools tools;

    private long epoch = NO_EPOCH;
    private boolean isClosed;
    private @Nullable Pass pass;
    private int storedHeld;
    private boolean isStartStored;
    private boolean isDirty;

    private ReplayedSession(String sessionId, PageStore store, ReplayTools tools) {
        this.sessionId = sessionId;
        this.store = store;
        this.tools = tools;
    }

    /** A session as its store has it; a new one when that is empty. */
    public static ReplayedSession open(String sessionId, PageStore store, ReplayTools tools) {
        ReplayedSession session = new ReplayedSession(sessionId, store, tools);
        byte[] head = store.get(PageKeys.HEAD);
        if (head != null) {
            session.restore(StateReader.of(head, VERSION, "session " + sessionId));
        }
        return session;
    }

    /** Takes a record of this session from the broker. */
    public void accept(InboundRecord record, TraceEnvelope envelope) {
        if (envelope.epoch() < epoch || (isClosed && envelope.epoch() == epoch)) {
            tools.output().count(ReplayCount.REPEATED_RECORDS, 1);
            return;
        }
        isDirty = true;
        if (envelope.epoch() > epoch) {
            begin(envelope.epoch(), record.brokerTimeMs());
        }
        Pass current = pass;
        if (current == null) {
            throw new IllegalStateException("session " + sessionId + " is open without a pass");
        }
        try {
            current.isLost = false;
            current.sequencer.offer(record, envelope);
        } catch (IllegalRecordException e) {
            tools.output().reject(record, envelope + ": " + e.getMessage());
        }
        if (isClosed) {
            close();
        } else {
            current.reviseEachMinute(record.brokerTimeMs());
        }
    }

    private void begin(long newEpoch, long brokerTimeMs) {
        lose();
        store.clear();
        storedHeld = 0;
        isStartStored = false;
        epoch = newEpoch;
        isClosed = false;
        long loadedAtUs =
                Math.max(tools.load().submittedAtUs(), SessionHeader.brokerTimeUs(brokerTimeMs));
        pass = new Pass(brokerTimeMs, loadedAtUs);
    }

    /**
     * The session fell silent: what it has becomes visible, as lost. Records that come after all
     * open it again. Nothing happens to one that is closed, lost or new.
     */
    public void lose() {
        Pass current = pass;
        if (current == null || current.isLost) {
            return;
        }
        isDirty = true;
        current.sequencer.giveAll();
        if (isClosed) {
            close();
        } else {
            current.lose();
        }
    }

    /** Whether it has an open or lost pass, as opposed to none yet or a closed one. */
    public boolean isOpen() {
        return pass != null;
    }

    /** Whether it was lost and nothing came since. */
    public boolean isLost() {
        return pass != null && pass.isLost;
    }

    /**
     * Gives up a session: what it has is forgotten, and records of its epoch are repetitions from
     * now on.
     */
    public void close() {
        pass = null;
        isClosed = true;
        isDirty = true;
        store.clear();
        storedHeld = 0;
        isStartStored = false;
    }

    /** Bytes of live blocks on the heap, which {@link #shrink} can set free. */
    public long heapBytes() {
        return pass == null ? 0 : pass.replay.blocks().heapBytes();
    }

    /** How many blocks are known to live. */
    public long liveBlocks() {
        return pass == null ? 0 : pass.replay.blocks().blocks();
    }

    /** Moves live blocks from the heap to the store, those not used for longest first. */
    public void shrink(long toHeapBytes) {
        if (pass != null) {
            pass.replay.blocks().shrink(toHeapBytes);
            isDirty = true;
        }
    }

    /** Writes to the store what changed since the last time. */
    public void flush() {
        if (!isDirty) {
            return;
        }
        StateWriter head = new StateWriter().writeLong(VERSION);
        head.writeLong(epoch).writeBoolean(isClosed);
        Pass current = pass;
        if (current != null) {
            current.write(head);
        }
        store.put(PageKeys.HEAD, head.toByteArray());
        isDirty = false;
    }

    private void restore(StateReader head) {
        epoch = head.readLong();
        isClosed = head.readBoolean();
        if (!isClosed) {
            Pass restored = new Pass(head.readLong(), head.readLong());
            restored.read(head);
            pass = restored;
        }
    }

    private TraceEnvelope knownEnvelope(byte[] bytes) {
        try {
            return tools.decoder().readEnvelope(bytes);
        } catch (TraceFormatException e) {
            throw new IllegalStateException(
                    "session " + sessionId + ": a record in the checkpoint is not readable", e);
        }
    }

    /** One epoch of the session, while it is open or lost. */
    private final class Pass implements RecordSequencer.Taker {
        final RecordSequencer sequencer = new RecordSequencer(this);
        final SessionReplay replay;
        final long firstBrokerMs;
        final long loadedAtUs;
        boolean isLost;

        private byte @Nullable [] startRecord;
        private boolean isWhole = true;
        private long revision;
        private long losses;
        private long revisedMinute;

        Pass(long firstBrokerMs, long loadedAtUs) {
            this.firstBrokerMs = firstBrokerMs;
            this.loadedAtUs = loadedAtUs;
            revisedMinute = firstBrokerMs / MS_PER_MINUTE;
            RowSink rows = new RowSink(tools.output(), sessionId, tools.load().id(epoch));
            replay =
                    new SessionReplay(
                            store, SessionHeader.unseen(firstBrokerMs), rows, tools.isWithEvents());
        }

        @Override
        public void take(InboundRecord record, TraceEnvelope envelope) {
            if (isClosed) {
                repeated();
                return;
            }
            try {
                if (envelope.isEventBlock()) {
                    EventColumns columns = tools.columns();
                    tools.decoder().readEvents(envelope, columns);
                    replay.events(columns);
                } else if (envelope.isKnownPayload()) {
                    payload(record, tools.decoder().readPayload(envelope));
                } else {
                    unknown();
                }
            } catch (TraceFormatException e) {
                miss(record, String.valueOf(e.getMessage()));
            } catch (IllegalRecordException e) {
                miss(record, envelope + ": " + e.getMessage());
            }
        }

        private void payload(InboundRecord record, Object payload) throws IllegalRecordException {
            if (payload instanceof SessionStart start) {
                start(record, start);
            } else if (payload instanceof MemorySample sample) {
                replay.memory(sample);
            } else if (payload instanceof MarkCounters mark) {
                replay.counters(mark);
            } else if (payload instanceof ThreadInfo info) {
                replay.thread(info.getThread(), info.getName());
            } else if (payload instanceof SessionEnd end) {
                replay.end(end, nextFacts());
                isClosed = true;
            } else {
                unknown();
            }
        }

        private void start(InboundRecord record, SessionStart start) throws IllegalRecordException {
            if (replay.header().isSeen()) {
                throw new IllegalRecordException("the session has begun already");
            }
            replay.header(SessionHeader.of(start));
            startRecord = record.bytes();
            replay.revise(nextFacts());
        }

        private void unknown() {
            replay.quality().unknownPayloads++;
            tools.output().count(ReplayCount.UNKNOWN_PAYLOADS, 1);
        }

        /** A record that can't be read is missing, and said to be. */
        private void miss(InboundRecord record, String reason) {
            tools.output().reject(record, reason);
            miss(1);
        }

        @Override
        public void miss(long records) {
            isWhole = false;
            replay.quality().gaps++;
            tools.output().count(ReplayCount.MISSING_RECORDS, records);
        }

        @Override
        public void repeated() {
            tools.output().count(ReplayCount.REPEATED_RECORDS, 1);
        }

        void lose() {
            isLost = true;
            losses++;
            replay.lose(nextFacts());
        }

        void reviseEachMinute(long brokerTimeMs) {
            long minute = brokerTimeMs / MS_PER_MINUTE;
            if (minute > revisedMinute) {
                revisedMinute = minute;
                replay.revise(nextFacts());
            }
        }

        private RevisionFacts nextFacts() {
            boolean isFromStart = replay.header().isSeen();
            return new RevisionFacts(
                    tools.load().id(epoch), loadedAtUs, isWhole && isFromStart, revision++, losses);
        }

        void write(StateWriter head) {
            head.writeLong(firstBrokerMs).writeLong(loadedAtUs);
            head.writeBoolean(isLost).writeBoolean(isWhole).writeBoolean(startRecord != null);
            head.writeLong(revision).writeLong(losses).writeLong(revisedMinute);
            if (startRecord != null && !isStartStored) {
                store.put(PageKeys.START, startRecord);
                isStartStored = true;
            }
            sequencer.write(head, store, storedHeld);
            storedHeld = sequencer.heldRecords();
            replay.flush(head);
        }

        void read(StateReader head) {
            isLost = head.readBoolean();
            isWhole = head.readBoolean();
            boolean isStarted = head.readBoolean();
            revision = head.readLong();
            losses = head.readLong();
            revisedMinute = head.readLong();
            if (isStarted) {
                restoreStart();
            }
            sequencer.read(head, store, ReplayedSession.this::knownEnvelope);
            storedHeld = sequencer.heldRecords();
            replay.restore(head);
        }

        private void restoreStart() {
            byte[] bytes = store.get(PageKeys.START);
            if (bytes == null) {
                throw new IllegalStateException(
                        "session " + sessionId + ": its start is not in the checkpoint");
            }
            try {
                Object start = tools.decoder().readPayload(knownEnvelope(bytes));
                replay.header(SessionHeader.of((SessionStart) start));
                startRecord = bytes;
                isStartStored = true;
            } catch (TraceFormatException | IllegalRecordException e) {
                throw new IllegalStateException(
                        "session " + sessionId + ": its start in the checkpoint is not readable",
                        e);
            }
        }
    }
}
