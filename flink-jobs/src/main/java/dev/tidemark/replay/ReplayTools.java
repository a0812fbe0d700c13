package dev.tidemark.replay;

import dev.tidemark.schemas.EventColumns;
import dev.tidemark.schemas.TraceDecoder;

/** What the sessions of one thread share: decoder, buffers, output. */
public final class ReplayTools {
    private final Load load;
    private final TraceDecoder decoder;
    private final ReplayOutput output;
    private final boolean isWithEvents;
    private final EventColumns columns = new EventColumns();

    /**
     * Tools of one thread.
     *
     * @param isWithEvents whether rows of {@code events} are wanted
     */
    public ReplayTools(Load load, TraceDecoder decoder, ReplayOutput output, boolean isWithEvents) {
        this.load = load;
        this.decoder = decoder;
        this.output = output;
        this.isWithEvents = isWithEvents;
    }

    Load load() {
        return load;
    }

    TraceDecoder decoder() {
        return decoder;
    }

    ReplayOutput output() {
        return output;
    }

    boolean isWithEvents() {
        return isWithEvents;
    }

    /** The buffer for the block in hand. */
    EventColumns columns() {
        return columns;
    }
}
