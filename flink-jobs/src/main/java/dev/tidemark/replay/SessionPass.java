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
 * One pass of a session, which is one load, while it is open or lost: its records put in order, and
 * those in order replayed. What can't be read is missing, and said to be.
 */
final class SessionPass implements RecordSequencer.Taker {
    private static final long MS_PER_MINUTE = 60_000;

    private final RecordSequencer sequencer = new RecordSequencer(this);
    private final String sessionId;
    private final String loadId;
    private final PageStore store;
    private final ReplayTools tools;
    private final SessionReplay replay;
    private final long firstBrokerMs;
    private final long loadedAtUs;

    private boolean isLost;
    private boolean isEnded;
    private byte @Nullable [] startRecord;
    private boolean isStartStored;
    private int storedHeld;
    private boolean isWhole = true;
    private long revision;
    private long losses;
    private long revisedMinute;

    /** A pass whose first record the broker got at {@code firstBrokerMs}. */
    SessionPass(
            String sessionId,
            String loadId,
            PageStore store,
            ReplayTools tools,
            long firstBrokerMs,
            long loadedAtUs) {
        this.sessionId = sessionId;
        this.loadId = loadId;
        this.store = store;
        this.tools = tools;
        this.firstBrokerMs = firstBrokerMs;
        this.loadedAtUs = loadedAtUs;
        revisedMinute = firstBrokerMs / MS_PER_MINUTE;
        RowSink rows = new RowSink(tools.output(), sessionId, loadId);
        replay =
                new SessionReplay(
                        store, SessionHeader.unseen(firstBrokerMs), rows, tools.isWithEvents());
    }

    /** Whether its end was replayed; nothing comes after it. */
    boolean isEnded() {
        return isEnded;
    }

    /** Whether it was lost and nothing came since. */
    boolean isLost() {
        return isLost;
    }

    BlockTable blocks() {
        return replay.blocks();
    }

    /** Takes a record of this pass from the broker. */
    void offer(InboundRecord record, TraceEnvelope envelope) {
        isLost = false;
        try {
            sequencer.offer(record, envelope);
        } catch (IllegalRecordException e) {
            tools.output().reject(record, envelope + ": " + e.getMessage());
        }
    }

    @Override
    public void take(InboundRecord record, TraceEnvelope envelope) {
        if (isEnded) {
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
            isEnded = true;
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

    /** Gives what is held back; when that does not end the pass, gives it for lost. */
    void lose() {
        sequencer.giveAll();
        if (isEnded) {
            return;
        }
        isLost = true;
        losses++;
        replay.lose(nextFacts());
    }

    /** Gives a row of {@code sessions} when the broker has come to another minute. */
    void reviseEachMinute(long brokerTimeMs) {
        long minute = brokerTimeMs / MS_PER_MINUTE;
        if (minute > revisedMinute) {
            revisedMinute = minute;
            replay.revise(nextFacts());
        }
    }

    private RevisionFacts nextFacts() {
        boolean isFromStart = replay.header().isSeen();
        return new RevisionFacts(loadId, loadedAtUs, isWhole && isFromStart, revision++, losses);
    }

    /** Writes what the constructor and then {@link #read} need. */
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

    /** Reads what {@link #write} wrote after the two numbers that the constructor got. */
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
        sequencer.read(head, store, this::knownEnvelope);
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
                    "session " + sessionId + ": its start in the checkpoint is not readable", e);
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
}
