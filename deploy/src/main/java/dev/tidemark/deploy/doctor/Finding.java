package dev.tidemark.deploy.doctor;

/**
 * One line of a check-up.
 *
 * @param subject what was looked at
 * @param state how it is
 * @param detail what was found, and what it means
 * @param remedy the command or step that helps; empty when none is needed
 */
public record Finding(String subject, State state, String detail, String remedy) {
    /** How the subject is. */
    public enum State {
        OK,
        /** Works, but something is slower, or is left out. */
        NOTE,
        /** Something does not work before it is mended. */
        MISSING
    }

    static Finding ok(String subject, String detail) {
        return new Finding(subject, State.OK, detail, "");
    }

    static Finding note(String subject, String detail, String remedy) {
        return new Finding(subject, State.NOTE, detail, remedy);
    }

    static Finding missing(String subject, String detail, String remedy) {
        return new Finding(subject, State.MISSING, detail, remedy);
    }
}
