package dev.tidemark.ingest.agent;

import dev.tidemark.schemas.Operation;
import java.math.BigDecimal;

/**
 * What marks one kind, frames or ticks: marks of the program, a fixed period, or nothing. {@code
 * auto} stays undecided until a mark comes or it is settled without one.
 */
final class MarkTrack {
    private static final BigDecimal NANOS_PER_MILLI = BigDecimal.valueOf(1_000_000);
    private static final BigDecimal MAX_PERIOD_MS = BigDecimal.valueOf(3_600_000);
    private static final BigDecimal MIN_PERIOD_MS = new BigDecimal("0.1");

    private enum State {
        UNDECIDED,
        MARKS,
        FIXED,
        NONE
    }

    private final int operation;
    private State state;
    private String definition;
    private long periodNs;
    private long nextNs = Long.MAX_VALUE;
    private long ignored;

    private MarkTrack(int operation, State state, String definition) {
        this.operation = operation;
        this.state = state;
        this.definition = definition;
    }

    /**
     * A track by the user's words.
     *
     * @param operation {@link Operation#FRAME} or {@link Operation#TICK}
     * @param wanted auto, none, fixed:MS or call:NAME
     * @throws IllegalArgumentException when it is none of these; the message is one line
     */
    static MarkTrack of(int operation, String wanted) {
        if (wanted.equals("auto")) {
            return new MarkTrack(operation, State.UNDECIDED, "none");
        }
        if (wanted.equals("none")) {
            return new MarkTrack(operation, State.NONE, "none");
        }
        if (wanted.startsWith("call:") && wanted.length() > "call:".length()) {
            return new MarkTrack(operation, State.MARKS, wanted);
        }
        if (wanted.startsWith("fixed:")) {
            MarkTrack track = new MarkTrack(operation, State.FIXED, wanted);
            track.fix(wanted.substring("fixed:".length()));
            return track;
        }
        throw new IllegalArgumentException(
                "%ss are to be marked by \"%s\", must be auto, none, fixed:MS or call:NAME"
                        .formatted(Operation.name(operation), wanted));
    }

    private void fix(String milliseconds) {
        try {
            BigDecimal period = new BigDecimal(milliseconds);
            if (period.compareTo(MIN_PERIOD_MS) >= 0 && period.compareTo(MAX_PERIOD_MS) <= 0) {
                state = State.FIXED;
                definition = "fixed:" + milliseconds;
                periodNs = period.multiply(NANOS_PER_MILLI).longValue();
                nextNs = periodNs;
                return;
            }
        } catch (NumberFormatException e) {
            // Told below, like a number out of bounds.
        }
        throw new IllegalArgumentException(
                "fixed:%s: the period must be a number of milliseconds, %s to %s"
                        .formatted(milliseconds, MIN_PERIOD_MS, MAX_PERIOD_MS));
    }

    int operation() {
        return operation;
    }

    /** As SessionStart tells it. */
    String definition() {
        return definition;
    }

    boolean isUndecided() {
        return state == State.UNDECIDED;
    }

    /** Whether the kind has marks, of any source. */
    boolean isMarked() {
        return state == State.MARKS || state == State.FIXED;
    }

    /** Takes a mark of the program; false when this kind is marked otherwise. */
    boolean take(int source) {
        if (state == State.UNDECIDED) {
            state = State.MARKS;
            definition = sourceName(source);
        }
        if (state != State.MARKS) {
            ignored++;
            return false;
        }
        return true;
    }

    /**
     * Decides without a mark.
     *
     * @param milliseconds fixed period; empty for none
     */
    void settle(String milliseconds) {
        if (milliseconds.isEmpty()) {
            state = State.NONE;
        } else {
            fix(milliseconds);
        }
    }

    /** Session time of the next mark of a fixed period; Long.MAX_VALUE when there is none. */
    long nextNs() {
        return nextNs;
    }

    /** The next mark has been made. */
    void advance() {
        nextNs += periodNs;
    }

    /** Marks of the program that came although the kind is marked otherwise. */
    long ignored() {
        return ignored;
    }

    private static String sourceName(int source) {
        return switch (source) {
            case 0 -> "tidemark_frame";
            case 1 -> "tidemark_tick";
            case 2 -> "call";
            case 8 -> "SDL_GL_SwapWindow";
            case 9 -> "SDL_RenderPresent";
            case 10 -> "SDL_UpdateWindowSurface";
            case 11 -> "glXSwapBuffers";
            case 12 -> "eglSwapBuffers";
            case 13 -> "vkQueuePresentKHR";
            default -> "mark:" + source;
        };
    }
}
