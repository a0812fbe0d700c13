package dev.tidemark.replay;

import dev.tidemark.schemas.lake.LakeTable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The frames, or the ticks, of a session: the current one, and the one before, whose row is final
 * when the current one ends.
 */
final class SpanTrack {
    private final LakeTable table;
    private final String word;
    private Span current = new Span(0, 0, 0, null, 0);
    private @Nullable Span previous;
    private long ended;

    /**
     * A track at span 0.
     *
     * @param word {@code frame} or {@code tick}, as the columns say
     */
    SpanTrack(LakeTable table, String word) {
        this.table = table;
        this.word = word;
    }

    Span current() {
        return current;
    }

    /** Whether a mark was seen; without one there are no rows. */
    boolean isMarked() {
        return current.ordinal > 0;
    }

    /** The current span's number, {@link EventBatch#NULL} when nothing marks one. */
    long ordinalIf(boolean isDefined) {
        return isDefined || isMarked() ? current.ordinal : EventBatch.NULL;
    }

    /** How many rows there are so far, the current span among them. */
    long rows() {
        return isMarked() ? ended + 1 : 0;
    }

    /** A block made in the span with these low 32 bits was released. */
    void released(int madeIn, long sizeBytes, long roundedBytes) {
        int ago = (int) current.ordinal - madeIn;
        if (ago == 0) {
            current.releasedSame(sizeBytes, roundedBytes);
        } else if (ago == 1 && previous != null) {
            previous.releasedNext(sizeBytes, roundedBytes);
        }
    }

    /** Events are missing here. */
    void miss() {
        current.isComplete = false;
        if (previous != null) {
            previous.isNextKnown = false;
        }
    }

    /**
     * Ends the current span, and begins the next.
     *
     * @param said its ordinal; one that is not above the current one's is taken to be the next
     */
    void mark(
            long said,
            SpanEnd end,
            @Nullable String phase,
            Measured measured,
            Consumer<RowBuilder> rows) {
        long next = Math.max(said, current.ordinal + 1);
        current.end(end);
        if (previous != null) {
            rows.accept(previous.row(table, word, measured));
        }
        previous = current;
        ended++;
        current = new Span(next, end.ns(), end.involuntarySwitches(), phase, end.liveBytes());
    }

    /** The rows of the last two spans, if the session ended here. */
    void last(
            long endNs,
            long liveBytes,
            long liveBlocks,
            Measured measured,
            Consumer<RowBuilder> rows) {
        if (!isMarked()) {
            return;
        }
        if (previous != null) {
            rows.accept(previous.row(table, word, measured));
        }
        current.end(SpanEnd.unmarked(endNs, liveBytes, liveBlocks));
        rows.accept(current.row(table, word, measured).set("is_complete", false));
    }

    void write(StateWriter out) {
        current.write(out);
        out.writeLong(ended);
        out.writeBoolean(previous != null);
        if (previous != null) {
            previous.write(out);
        }
    }

    void read(StateReader in) {
        current = Span.read(in);
        ended = in.readLong();
        previous = in.readBoolean() ? Span.read(in) : null;
    }
}
