package dev.tidemark.ingest.replayer;

import java.io.IOException;

/**
 * A recording, arm or machine with which no replay can be done. The message is one line that says
 * what, where, which value, which bound, and what to do.
 */
public final class ReplayException extends IOException {
    /** What is at fault, which decides on a command's exit code. */
    public enum Fault {
        /** The recording or the arm can't be used. */
        BAD_INPUT,
        /** This machine lacks something. */
        MISSING_HERE,
        /** The replayer itself. */
        INTERNAL
    }

    private final transient Fault fault;

    ReplayException(Fault fault, String message) {
        super(message);
        this.fault = fault;
    }

    static ReplayException badInput(String message) {
        return new ReplayException(Fault.BAD_INPUT, message);
    }

    /** What is at fault. */
    public Fault fault() {
        return fault;
    }
}
