package dev.tidemark.replay;

/** How far a session's figures can be trusted. */
final class SessionQuality {
    long droppedEvents;
    long gaps;
    long unknownFrees;
    long preexistingFrees;
    long missedFrees;
    long sentTimeInversions;
    long clampedTimes;
    long adjustedLiveBytes;
    long unknownPayloads;

    void fill(RowBuilder row) {
        row.set("dropped_events", droppedEvents)
                .set("gaps", gaps)
                .set("unknown_frees", unknownFrees)
                .set("preexisting_frees", preexistingFrees)
                .set("missed_frees", missedFrees)
                .set("time_inversions", sentTimeInversions + clampedTimes)
                .set("adjusted_live_bytes", adjustedLiveBytes)
                .set("unknown_payloads", unknownPayloads);
    }

    void write(StateWriter out) {
        out.writeLong(droppedEvents).writeLong(gaps).writeLong(unknownFrees);
        out.writeLong(preexistingFrees).writeLong(missedFrees).writeLong(sentTimeInversions);
        out.writeLong(clampedTimes).writeLong(adjustedLiveBytes).writeLong(unknownPayloads);
    }

    static SessionQuality read(StateReader in) {
        SessionQuality quality = new SessionQuality();
        quality.droppedEvents = in.readLong();
        quality.gaps = in.readLong();
        quality.unknownFrees = in.readLong();
        quality.preexistingFrees = in.readLong();
        quality.missedFrees = in.readLong();
        quality.sentTimeInversions = in.readLong();
        quality.clampedTimes = in.readLong();
        quality.adjustedLiveBytes = in.readLong();
        quality.unknownPayloads = in.readLong();
        return quality;
    }
}
