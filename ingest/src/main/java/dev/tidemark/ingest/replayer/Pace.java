package dev.tidemark.ingest.replayer;

/** How a replay keeps time. */
public enum Pace {
    /** Frames and gaps of 20 microseconds and more as recorded. */
    RECORDED("recorded"),
    /** As fast as it goes: threads meet only where one releases what another made. */
    NONE("none");

    private final String label;

    Pace(String label) {
        this.label = label;
    }

    /** As a session's {@code pacing} has it. */
    public String label() {
        return label;
    }
}
