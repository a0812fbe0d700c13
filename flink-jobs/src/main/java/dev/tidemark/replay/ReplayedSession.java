package dev.tidemark.replay;

import dev.tidemark.schemas.TraceEnvelope;
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

    private final String sessionId;
    private final PageStore store;
    private final ReplayTools tools;

    private long epoch = NO_EPOCH;
    private boolean isClosed;
    private @Nullable SessionPass pass;
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
        SessionPass current = pass;
        if (current == null) {
            throw new IllegalStateException("session " + sessionId + " is open without a pass");
        }
        current.offer(record, envelope);
        if (current.isEnded()) {
            close();
        } else {
            current.reviseEachMinute(record.brokerTimeMs());
        }
    }

    private void begin(long newEpoch, long brokerTimeMs) {
        lose();
        store.clear();
        epoch = newEpoch;
        isClosed = false;
        long loadedAtUs =
                Math.max(tools.load().submittedAtUs(), SessionHeader.brokerTimeUs(brokerTimeMs));
        pass = pass(brokerTimeMs, loadedAtUs);
    }

    private SessionPass pass(long firstBrokerMs, long loadedAtUs) {
        String loadId = tools.load().id(epoch);
        return new SessionPass(sessionId, loadId, store, tools, firstBrokerMs, loadedAtUs);
    }

    /**
     * The session fell silent: what it has becomes visible, as lost. Records that come after all
     * open it again. Nothing happens to one that is closed, lost or new.
     */
    public void lose() {
        SessionPass current = pass;
        if (current == null || current.isLost()) {
            return;
        }
        isDirty = true;
        current.lose();
        if (current.isEnded()) {
            close();
        }
    }

    /** Whether it has an open or lost pass, as opposed to none yet or a closed one. */
    public boolean isOpen() {
        return pass != null;
    }

    /** Whether it was lost and nothing came since. */
    public boolean isLost() {
        return pass != null && pass.isLost();
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
    }

    /** Bytes of live blocks on the heap, which {@link #shrink} can set free. */
    public long heapBytes() {
        return pass == null ? 0 : pass.blocks().heapBytes();
    }

    /** How many blocks are known to live. */
    public long liveBlocks() {
        return pass == null ? 0 : pass.blocks().blocks();
    }

    /** Moves live blocks from the heap to the store, those not used for longest first. */
    public void shrink(long toHeapBytes) {
        if (pass != null) {
            pass.blocks().shrink(toHeapBytes);
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
        SessionPass current = pass;
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
            SessionPass restored = pass(head.readLong(), head.readLong());
            restored.read(head);
            pass = restored;
        }
    }
}
