package dev.tidemark.ingest.merge;

import dev.tidemark.ingest.ring.Sync;

/**
 * Stamps of the recorder to nanoseconds of the session. The rate gets better with every sync; a
 * change takes effect from the newest stamp converted, so that time never jumps. One thread.
 */
public final class StampClock {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final long MIN_BASE_NS = 10_000_000L;
    private static final double MAX_RATE_CHANGE = 2.0;
    private static final long AHEAD_NS = 3_600_000_000_000L;

    private final Sync start;
    private final double firstRate;
    private double nanosPerStamp;
    private long baseStamp;
    private double baseNanos;
    private Sync newest;
    private boolean isSynced;

    /**
     * A clock before its first sync.
     *
     * @param originStamp the session's time 0
     * @param start the image's start
     * @param stampsPerSecond first measure of the rate
     */
    public StampClock(long originStamp, Sync start, long stampsPerSecond) {
        this.start = start;
        newest = start;
        firstRate = NANOS_PER_SECOND / stampsPerSecond;
        nanosPerStamp = firstRate;
        baseStamp = originStamp;
    }

    /**
     * Takes a sync in. One that is not later than the start, or whose rate is not within a factor
     * of two of the first measure, is ignored.
     *
     * @param convertedTo the newest stamp converted so far
     */
    public void update(Sync sync, long convertedTo) {
        long stamps = sync.stamp() - start.stamp();
        long nanos = sync.monotonicRawNs() - start.monotonicRawNs();
        if (nanos < MIN_BASE_NS || stamps <= 0 || sync.stamp() == newest.stamp()) {
            return;
        }
        double rate = (double) nanos / stamps;
        if (rate > firstRate * MAX_RATE_CHANGE || rate < firstRate / MAX_RATE_CHANGE) {
            return;
        }
        if (convertedTo > baseStamp) {
            baseNanos += (convertedTo - baseStamp) * nanosPerStamp;
            baseStamp = convertedTo;
        }
        nanosPerStamp = rate;
        newest = sync;
        isSynced = true;
    }

    /** Whether a sync has made the rate good. */
    public boolean isSynced() {
        return isSynced;
    }

    /** Session time of a stamp in ns, 0 at least. */
    public long nanosOf(long stamp) {
        return Math.max(0, Math.round(rawNanosOf(stamp)));
    }

    private double rawNanosOf(long stamp) {
        return baseNanos + (stamp - baseStamp) * nanosPerStamp;
    }

    /** Length of a span of stamps in ns. */
    public long durationNanos(long stamps) {
        return Math.round(stamps * nanosPerStamp);
    }

    /** Stamps in a span of ns, rounded up. */
    public long stampsIn(long nanos) {
        return (long) Math.ceil(nanos / nanosPerStamp);
    }

    /** Session time of a moment of {@link System#nanoTime()}, 0 at least. */
    public long nanosAt(long nanoTime) {
        return Math.max(
                0, Math.round(rawNanosOf(newest.stamp())) + nanoTime - newest.monotonicNs());
    }

    /** The stamp of about a moment of {@link System#nanoTime()}. */
    public long stampAt(long nanoTime) {
        return newest.stamp() + Math.round((nanoTime - newest.monotonicNs()) / nanosPerStamp);
    }

    /**
     * A stamp that nothing sane can be beyond: an hour after now, or after the newest sync where
     * the file was written before the machine started.
     */
    public long latestStamp(long nanoTime) {
        long ahead = Math.max(0, nanoTime - newest.monotonicNs()) + AHEAD_NS;
        return newest.stamp() + stampsIn(ahead);
    }
}
