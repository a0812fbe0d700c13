package dev.tidemark.replay;

import dev.tidemark.schemas.TraceEnvelope;
import java.util.Comparator;
import java.util.TreeMap;

/**
 * Puts the records of one pass of a session in order, by {@code seq}: each once, those that came
 * early held back until those before them are here. At most {@link #MAX_HELD} are held, and none
 * longer than {@link #MAX_HELD_MS} by the broker's own time stamps; then what is missing is a gap.
 * Deterministic: the same records in the same order give the same gaps, whenever they are read.
 */
final class RecordSequencer {
    static final int MAX_HELD = 64;
    static final long MAX_HELD_MS = 30_000;

    /** Further ahead than any sender gets within a hold-back: a damaged record. */
    static final long MAX_AHEAD = 1L << 32;

    private static final long MAX_SEQ = 1L << 60;

    private final Taker taker;
    private final TreeMap<Long, Held> held = new TreeMap<>();
    private long nextSeq;
    private boolean isBegun;
    private long clockMs = Long.MIN_VALUE;

    /** Takes records in order. */
    interface Taker {
        /** The next record. */
        void take(InboundRecord record, TraceEnvelope envelope);

        /** So many records, the next ones, never came. */
        void miss(long records);

        /** The record came before, or after its gap was declared. */
        void repeated();
    }

    /** A record that came early, and the session's broker clock when it did. */
    private record Held(InboundRecord record, TraceEnvelope envelope, long clockMs) {}

    RecordSequencer(Taker taker) {
        this.taker = taker;
    }

    /**
     * Takes a record from the broker.
     *
     * @throws IllegalRecordException when its seq is absurdly far ahead
     */
    void offer(InboundRecord record, TraceEnvelope envelope) throws IllegalRecordException {
        long seq = envelope.seq();
        if (seq > MAX_SEQ || (isBegun && seq - nextSeq > MAX_AHEAD)) {
            throw new IllegalRecordException(
                    "seq is " + seq + ", more than " + MAX_AHEAD + " ahead of " + nextSeq);
        }
        clockMs = Math.max(clockMs, record.brokerTimeMs());
        while (!held.isEmpty() && clockMs - oldestClockMs() >= MAX_HELD_MS) {
            skipToHeld();
        }
        if (seq < nextSeq || held.containsKey(seq)) {
            taker.repeated();
        } else if (seq == nextSeq) {
            give(record, envelope);
            giveHeld();
        } else {
            held.put(seq, new Held(record, envelope, clockMs));
            if (held.size() > MAX_HELD) {
                skipToHeld();
            }
        }
    }

    private long oldestClockMs() {
        return held.values().stream()
                .min(Comparator.comparingLong(Held::clockMs))
                .orElseThrow()
                .clockMs();
    }

    /** Gives every record that is held, with gaps where records are missing. */
    void giveAll() {
        while (!held.isEmpty()) {
            skipToHeld();
        }
    }

    private void skipToHeld() {
        long seq = held.firstKey();
        taker.miss(seq - nextSeq);
        nextSeq = seq;
        giveHeld();
    }

    private void giveHeld() {
        while (!held.isEmpty() && held.firstKey() == nextSeq) {
            Held next = held.pollFirstEntry().getValue();
            give(next.record, next.envelope);
        }
    }

    private void give(InboundRecord record, TraceEnvelope envelope) {
        nextSeq++;
        isBegun = true;
        taker.take(record, envelope);
    }

    /** Drops what is held; those who ended a session need no more of it. */
    void drop() {
        held.clear();
    }

    int heldRecords() {
        return held.size();
    }

    void write(StateWriter out, PageStore store, int heldBefore) {
        out.writeLong(nextSeq).writeBoolean(isBegun).writeLong(clockMs).writeLong(held.size());
        int slot = 0;
        for (Held one : held.values()) {
            StateWriter page = new StateWriter().writeLong(one.clockMs);
            one.record.write(page);
            store.put(PageKeys.HELD | slot, page.toByteArray());
            slot++;
        }
        for (; slot < heldBefore; slot++) {
            store.remove(PageKeys.HELD | slot);
        }
    }

    /** Reads what {@link #write} wrote. */
    void read(StateReader in, PageStore store, EnvelopeReader envelopes) {
        nextSeq = in.readLong();
        isBegun = in.readBoolean();
        clockMs = in.readLong();
        long count = in.readLong();
        for (int slot = 0; slot < count; slot++) {
            byte[] page = store.get(PageKeys.HELD | slot);
            if (page == null) {
                throw new IllegalStateException(
                        "record " + slot + " of " + count + " held back is not in the checkpoint");
            }
            StateReader one = new StateReader(page);
            long heldClockMs = one.readLong();
            InboundRecord record = InboundRecord.read(one);
            TraceEnvelope envelope = envelopes.read(record.bytes());
            held.put(envelope.seq(), new Held(record, envelope, heldClockMs));
        }
    }

    /** Reads the head of a record that was read before. */
    interface EnvelopeReader {
        TraceEnvelope read(byte[] bytes);
    }
}
