package dev.tidemark.ingest.agent;

import dev.tidemark.schemas.Operation;
import dev.tidemark.schemas.avro.Role;

/**
 * Frames and ticks of one session, and when it is known what marks them. A client's main kind is
 * the frame, a server's the tick. The main kind is settled by its first mark, or as a fixed period
 * when none came within {@link #PATIENCE_NS}; the other one has a second more to show a mark.
 */
final class MarkTracks {
    /** How long a first mark is waited for, in session time. */
    static final long PATIENCE_NS = 30_000_000_000L;

    private static final long GRACE_NS = 1_000_000_000L;
    private static final String FRAME_MS = "16.667";
    private static final String TICK_MS = "33.333";

    private final MarkTrack frames;
    private final MarkTrack ticks;
    private final boolean isServer;
    private long mainKnownNs;

    MarkTracks(MarkTrack frames, MarkTrack ticks, Role role) {
        this.frames = frames;
        this.ticks = ticks;
        isServer = role == Role.SERVER;
        mainKnownNs = main().isUndecided() ? Long.MAX_VALUE : 0;
    }

    MarkTrack frames() {
        return frames;
    }

    MarkTrack ticks() {
        return ticks;
    }

    private MarkTrack main() {
        return isServer ? ticks : frames;
    }

    private MarkTrack other() {
        return isServer ? frames : ticks;
    }

    /** Takes a mark of the program; false when its kind is marked otherwise. */
    boolean take(int operation, int source, long timeNs) {
        MarkTrack track = operation == Operation.FRAME ? frames : ticks;
        boolean isTaken = track.take(source);
        if (track.equals(main()) && mainKnownNs == Long.MAX_VALUE) {
            mainKnownNs = timeNs;
        }
        return isTaken;
    }

    /** Whether enough is known at a session time to begin the stream. */
    boolean isKnown(long nowNs) {
        boolean isDecided = !main().isUndecided() && !other().isUndecided();
        boolean isGraceOver = !main().isUndecided() && nowNs - mainKnownNs >= GRACE_NS;
        return isDecided || isGraceOver || nowNs >= PATIENCE_NS;
    }

    /** Decides what is undecided. */
    void settle() {
        if (main().isUndecided()) {
            main().settle(isServer ? TICK_MS : FRAME_MS);
        }
        if (other().isUndecided()) {
            other().settle("");
        }
    }

    /** Session time of the next mark of a fixed period; Long.MAX_VALUE when there is none. */
    long nextNs() {
        return Math.min(frames.nextNs(), ticks.nextNs());
    }

    /** Takes that mark and returns its operation. At one time a frame comes before a tick. */
    int next() {
        MarkTrack track = frames.nextNs() <= ticks.nextNs() ? frames : ticks;
        track.advance();
        return track.operation();
    }

    /** Marks of the program that were not used. */
    long ignored() {
        return frames.ignored() + ticks.ignored();
    }
}
