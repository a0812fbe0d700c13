package dev.tidemark.replay;

import dev.tidemark.schemas.lake.LakeTable;
import org.jspecify.annotations.Nullable;

/** One frame or tick: what happened in it, and where it ended. */
final class Span {
    final long ordinal;
    final long startNs;
    private final long startSwitches;
    @Nullable String phase;

    final CallTotals calls;
    boolean isComplete;

    /** Whether all that the next span released of this one's blocks was seen. */
    boolean isNextKnown = true;

    long adjustedLiveBytes;
    private long sameBlocks;
    private long sameBytes;
    private long sameRounded;
    private long nextBlocks;
    private long nextBytes;
    private long nextRounded;

    private SpanEnd end = SpanEnd.NONE;

    /**
     * A span that begins.
     *
     * @param startSwitches involuntary switches since the session's start, {@link SpanMark#UNKNOWN}
     *     when not counted
     */
    Span(long ordinal, long startNs, long startSwitches, @Nullable String phase, long liveBytes) {
        this(ordinal, startNs, startSwitches, phase, new CallTotals(liveBytes));
    }

    private Span(
            long ordinal,
            long startNs,
            long startSwitches,
            @Nullable String phase,
            CallTotals calls) {
        this.ordinal = ordinal;
        this.startNs = startNs;
        this.startSwitches = startSwitches;
        this.phase = phase;
        this.calls = calls;
        isComplete = ordinal > 0;
    }

    /** A block made in this span was released in it. */
    void releasedSame(long sizeBytes, long roundedBytes) {
        sameBlocks++;
        sameBytes += sizeBytes;
        sameRounded += roundedBytes;
    }

    /** A block made in this span was released in the next. */
    void releasedNext(long sizeBytes, long roundedBytes) {
        nextBlocks++;
        nextBytes += sizeBytes;
        nextRounded += roundedBytes;
    }

    /** Sets where it ended. */
    void end(SpanEnd at) {
        end = at;
    }

    private boolean areSwitchesKnown() {
        return startSwitches >= 0 && end.involuntarySwitches() >= startSwitches;
    }

    /** Its row, to be built. */
    RowBuilder row(LakeTable table, String word, Measured measured) {
        boolean isByBlock = measured.isByBlock();
        boolean isNext = isByBlock && isNextKnown;
        RowBuilder row =
                RowBuilder.of(table)
                        .at(startNs)
                        .set(word, ordinal)
                        .set("phase", phase)
                        .set("start_ns", startNs)
                        .set("duration_ns", end.ns() - startNs)
                        .set("is_complete", isComplete)
                        .setIf(
                                measured.isTimed() && end.markingThreadNs() >= 0,
                                "marking_thread_allocator_ns",
                                end.markingThreadNs())
                        .setIf(
                                measured.isFirstWriteTimed()
                                        && end.markingThreadFirstWriteNs() >= 0,
                                "marking_thread_first_write_ns",
                                end.markingThreadFirstWriteNs())
                        .setIf(
                                areSwitchesKnown(),
                                "involuntary_switches",
                                end.involuntarySwitches() - startSwitches)
                        .set("live_bytes", end.liveBytes())
                        .set("live_blocks", end.liveBlocks())
                        .set("adjusted_live_bytes", adjustedLiveBytes)
                        .setIf(isByBlock, "same_" + word + "_blocks", sameBlocks)
                        .setIf(isByBlock, "same_" + word + "_bytes", sameBytes)
                        .setIf(isNext, "next_" + word + "_blocks", nextBlocks)
                        .setIf(isNext, "next_" + word + "_bytes", nextBytes)
                        .setIf(isByBlock, word + "_arena_bytes", sameRounded)
                        .setIf(isNext, "double_buffer_bytes", sameRounded + nextRounded);
        calls.fill(row, measured);
        calls.fillCalls(row, measured);
        return row;
    }

    void write(StateWriter out) {
        out.writeLong(ordinal).writeLong(startNs).writeLong(startSwitches).writeString(phase);
        calls.write(out);
        out.writeBoolean(isComplete).writeBoolean(isNextKnown).writeLong(adjustedLiveBytes);
        out.writeLong(sameBlocks).writeLong(sameBytes).writeLong(sameRounded);
        out.writeLong(nextBlocks).writeLong(nextBytes).writeLong(nextRounded);
        end.write(out);
    }

    static Span read(StateReader in) {
        Span span =
                new Span(
                        in.readLong(),
                        in.readLong(),
                        in.readLong(),
                        in.readString(),
                        CallTotals.read(in));
        span.isComplete = in.readBoolean();
        span.isNextKnown = in.readBoolean();
        span.adjustedLiveBytes = in.readLong();
        span.sameBlocks = in.readLong();
        span.sameBytes = in.readLong();
        span.sameRounded = in.readLong();
        span.nextBlocks = in.readLong();
        span.nextBytes = in.readLong();
        span.nextRounded = in.readLong();
        span.end(SpanEnd.read(in));
        return span;
    }
}
