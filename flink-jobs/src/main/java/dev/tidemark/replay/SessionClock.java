package dev.tidemark.replay;

/** A session's time, in nanoseconds since its start: that of its events never runs backwards. */
final class SessionClock {
    private final SessionQuality quality;
    private long eventNs;
    private long newestNs;

    SessionClock(SessionQuality quality) {
        this.quality = quality;
    }

    /** Time of the newest event. */
    long eventNs() {
        return eventNs;
    }

    /** The newest time of anything seen. */
    long newestNs() {
        return newestNs;
    }

    /** An event comes; one before its predecessor is taken to be at the same time, and counted. */
    long event(long atNs) {
        if (atNs < eventNs) {
            quality.clampedTimes++;
        } else {
            eventNs = atNs;
        }
        return eventNs;
    }

    /** Something was seen at a time. */
    void seen(long atNs) {
        newestNs = Math.max(newestNs, atNs);
    }

    /** Gives back the time that a record says, unless it is before the session's start. */
    static long requireTime(long atNs) throws IllegalRecordException {
        if (atNs < 0) {
            throw new IllegalRecordException("at_ns is " + atNs + ", below 0");
        }
        return atNs;
    }

    void write(StateWriter out) {
        out.writeLong(eventNs).writeLong(newestNs);
    }

    void read(StateReader in) {
        eventNs = in.readLong();
        newestNs = in.readLong();
    }
}
