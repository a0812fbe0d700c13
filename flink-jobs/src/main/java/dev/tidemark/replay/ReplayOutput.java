package dev.tidemark.replay;

/** Takes what a session's replay yields, in order. */
public interface ReplayOutput {
    /** A row of any table but {@code events}. */
    void row(LakeRow row);

    /** Rows of {@code events}, when they were asked for; the batch is the receiver's to keep. */
    void events(EventBatch batch);

    /**
     * A record that could not be read.
     *
     * @param reason one line
     */
    void reject(InboundRecord record, String reason);

    /** Something that has no place in a row, or is worth a metric. */
    void count(ReplayCount what, long times);
}
