package dev.tidemark.replay;

import dev.tidemark.schemas.avro.MarkKind;
import dev.tidemark.schemas.lake.LakeTables;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The stretches of a session that hold what happens now: frame, tick, phase and the session itself.
 * What is added is added to each.
 */
final class SessionSpans {
    private final SpanTrack frames = new SpanTrack(LakeTables.FRAMES, "frame");
    private final SpanTrack ticks = new SpanTrack(LakeTables.TICKS, "tick");
    private final PhaseTable phases = new PhaseTable();
    private final ThreadTable threads;
    private final RowSink rows;
    private CallTotals totals = new CallTotals(0);

    SessionSpans(ThreadTable threads, RowSink rows) {
        this.threads = threads;
        this.rows = rows;
    }

    /** Goes to a thread, before calls of its are charged. */
    void enter(int threadIndex) {
        threads.enter(threadIndex, frames.current().ordinal, ticks.current().ordinal);
    }

    /** Low 32 bits of the current frame's number. */
    int frame() {
        return (int) frames.current().ordinal;
    }

    /** Low 32 bits of the current tick's number. */
    int tick() {
        return (int) ticks.current().ordinal;
    }

    void add(CallTotals segment) {
        frames.current().calls.add(segment);
        ticks.current().calls.add(segment);
        phases.add(segment);
        totals.add(segment);
    }

    /** The block taken last was released here. */
    void released(BlockTable blocks) {
        long size = blocks.takenSize();
        long rounded = blocks.takenRounded();
        frames.released(blocks.takenFrame(), size, rounded);
        ticks.released(blocks.takenTick(), size, rounded);
    }

    /** Events are missing here. */
    void miss() {
        frames.miss();
        ticks.miss();
    }

    /** Live bytes changed without an event seen. */
    void adjust(long difference) {
        frames.current().adjustedLiveBytes += difference;
        ticks.current().adjustedLiveBytes += difference;
    }

    /** Says where a call lies. */
    void locate(EventRecorder recorder, SessionHeader header) {
        recorder.spans(
                frames.ordinalIf(header.definesFrames()),
                ticks.ordinalIf(header.definesTicks()),
                phases.currentName());
    }

    /** A phase begins here. */
    void beginPhase(String name, long atNs, long liveBytes) {
        phases.begin(name, atNs, liveBytes);
    }

    /** The current spans turn out to lie in a phase, which began when the newest of them did. */
    void liesInPhase(@Nullable String name, long sinceNs, long liveBytes) {
        String phase = name == null ? null : ThreadTable.cut(name);
        if (phase != null && !phase.equals(phases.currentName())) {
            phases.begin(phase, sinceNs, liveBytes);
            frames.current().phase = phase;
            ticks.current().phase = phase;
        }
    }

    /** The number after the current one. */
    long next(MarkKind kind) {
        return track(kind).current().ordinal + 1;
    }

    private SpanTrack track(MarkKind kind) {
        return kind == MarkKind.FRAME ? frames : ticks;
    }

    /** Ends the current frame or tick, and gives the row of the one before. */
    void mark(SpanMark mark, long liveBytes, long liveBlocks, Measured measured) {
        SpanTrack track = track(mark.kind());
        long ended = track.current().ordinal;
        if (mark.ordinal() != ended + 1) {
            track.miss();
        }
        boolean isFrame = mark.kind() == MarkKind.FRAME;
        int marker = mark.thread();
        SpanEnd end =
                new SpanEnd(
                        mark.atNs(),
                        liveBytes,
                        liveBlocks,
                        isFrame ? threads.frameNs(marker, ended) : threads.tickNs(marker, ended),
                        isFrame
                                ? threads.frameFirstWriteNs(marker, ended)
                                : threads.tickFirstWriteNs(marker, ended),
                        mark.involuntarySwitches());
        track.mark(mark.ordinal(), end, phases.currentName(), measured, rows::emit);
        if (isFrame) {
            phases.beganFrame();
        } else {
            phases.beganTick();
        }
    }

    /** Gives the rows that are not given yet, if the session ended here. */
    void last(long endNs, long liveBytes, long liveBlocks, Measured measured, @Nullable Long loss) {
        for (SpanTrack track : List.of(frames, ticks)) {
            track.last(
                    endNs,
                    liveBytes,
                    liveBlocks,
                    measured,
                    row -> rows.emit(row.set("loss", loss)));
        }
        threads.rows(measured, row -> rows.emit(row.set("loss", loss)));
        phases.rows(endNs, measured, row -> rows.emit(row.set("loss", loss)));
    }

    /** Sets the session's totals. */
    void fill(RowBuilder row, Measured measured) {
        row.set("threads", threads.callers())
                .set("frames", frames.rows())
                .set("ticks", ticks.rows());
        totals.fill(row, measured);
    }

    long peakLiveBytes() {
        return totals.peakLiveBytes;
    }

    void write(StateWriter out) {
        frames.write(out);
        ticks.write(out);
        phases.write(out);
        totals.write(out);
    }

    void read(StateReader in) {
        frames.read(in);
        ticks.read(in);
        phases.read(in);
        totals = CallTotals.read(in);
    }
}
