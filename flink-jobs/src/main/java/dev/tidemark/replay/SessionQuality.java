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

    void read(StateReader in) {
        droppedEvents = in.readLong();
        gaps = in.readLong();
        unknownFrees = in.readLong();
        preexistingFrees = in.readLong();
        missedFrees = in.readLong();
        sentTimeInversions = in.readLong();
        clampedTimes = in.readLong();
        adjustedLiveBytes = in.readLong();
        unknownPayloads = in.readLong();
    }
}
