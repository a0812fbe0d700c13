package dev.tidemark.ingest.replayer;

/** What stands between the replayed calls and the allocator. */
public enum Front {
    /** Nothing. */
    NONE("none"),
    /**
     * No allocator: prepared addresses are handed out, so that what is left is the replay's own.
     */
    FLOOR("floor"),
    /**
     * A stack of each thread, reset each frame (tick, where there are no frames), serves the blocks
     * that their own thread releases in the frame in which it made them.
     */
    FRAME_ARENA("frame-arena"),
    /** Likewise two stacks in turn, for blocks released by the end of the next frame. */
    DOUBLE_BUFFER("double-buffer");

    private final String label;

    Front(String label) {
        this.label = label;
    }

    /** As the replayer's command line has it. */
    String label() {
        return label;
    }

    boolean isStack() {
        return this == FRAME_ARENA || this == DOUBLE_BUFFER;
    }
}
