package dev.tidemark.deploy;

/** What the launcher's exit codes mean; {@code record} otherwise passes its program's own on. */
public final class ExitCode {
    public static final int DONE = 0;
    public static final int INTERNAL_ERROR = 1;
    public static final int WRONG_USAGE = 2;
    public static final int BAD_INPUT = 3;
    public static final int MISSING_HERE = 4;

    /** {@code record}: failed before its program ran. */
    public static final int NOT_RECORDED = 125;

    /** {@code record}: its program could not be run. */
    public static final int NOT_RUNNABLE = 126;

    /** {@code record}: its program was not found. */
    public static final int NOT_FOUND = 127;

    private ExitCode() {}
}
