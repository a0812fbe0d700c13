package dev.tidemark.sql;

/**
 * A lake, query or file that can't be what was asked for. The message is one line: what, where,
 * which value, what to do.
 */
public final class LakeException extends Exception {
    private static final long serialVersionUID = 1L;

    /** With its line. */
    public LakeException(String line) {
        super(line);
    }

    /** With its line and what began it. */
    public LakeException(String line, Throwable cause) {
        super(line, cause);
    }
}
