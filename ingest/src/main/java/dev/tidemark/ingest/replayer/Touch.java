package dev.tidemark.ingest.replayer;

/** What is written into new memory, outside of a call's duration. */
public enum Touch {
    /** A byte in every page, and the last one: overstates memory that the program never wrote. */
    ALL("all"),
    /** The first byte. */
    FIRST("first"),
    /** Nothing: flatters allocators that leave page faults to the program. */
    NONE("none");

    private final String label;

    Touch(String label) {
        this.label = label;
    }

    /** As a session's {@code touch} has it. */
    public String label() {
        return label;
    }
}
