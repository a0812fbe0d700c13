package dev.tidemark.ingest.agent;

/** A ring file being served, and what is known of its end. */
final class ServedRing {
    final RingFileName name;
    final RecordedSession session;
    final MetricGroup.Share share;
    long activeAtNs;
    long deadAtNs;
    boolean isDead;
    boolean isReplaced;

    ServedRing(RingFileName name, RecordedSession session, MetricGroup.Share share, long nowNs) {
        this.name = name;
        this.session = session;
        this.share = share;
        activeAtNs = nowNs;
    }

    /** Whether nothing more is written to it. */
    boolean isOver() {
        return isDead || isReplaced;
    }

    void die(long nowNs) {
        if (!isDead) {
            isDead = true;
            deadAtNs = nowNs;
        }
    }

    /** Whether it is the same process's, before it replaced its image. */
    boolean isEarlierImageOf(ServedRing other) {
        return name.pid() == other.name.pid()
                && name.stamp() < other.name.stamp()
                && session.file().processStartTicks() == other.session.file().processStartTicks();
    }
}
