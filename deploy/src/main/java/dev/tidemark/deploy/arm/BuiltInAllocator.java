package dev.tidemark.deploy.arm;

import java.util.Arrays;
import java.util.Optional;

/** Allocators that the replayer has in itself. They exist in a replay alone. */
public enum BuiltInAllocator {
    /** Hands out prepared addresses and does nothing else: what replaying itself costs here. */
    FLOOR("floor"),
    /** Serves same-frame blocks from a stack that is reset every frame, the rest from a library. */
    FRAME_ARENA("frame-arena"),
    /** Likewise for blocks dead by the end of the next frame, from two stacks in turn. */
    DOUBLE_BUFFER("double-buffer");

    private final String text;

    BuiltInAllocator(String text) {
        this.text = text;
    }

    /** Its name on command lines and in sessions. */
    public String text() {
        return text;
    }

    static Optional<BuiltInAllocator> named(String text) {
        return Arrays.stream(values()).filter(one -> one.text.equals(text)).findFirst();
    }
}
