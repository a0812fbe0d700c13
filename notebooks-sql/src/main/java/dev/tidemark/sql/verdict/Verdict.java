package dev.tidemark.sql.verdict;

/** What a comparison says of a candidate. */
public enum Verdict {
    /** The interval lies clear of no difference, on the better side. */
    BETTER("better"),
    /** The interval lies clear of no difference, on the worse side. */
    WORSE("worse"),
    /** The interval lies within the margin in which arms are the same. */
    SAME("same"),
    /** Nothing of that can be said. */
    NO_VERDICT("no verdict");

    private final String text;

    Verdict(String text) {
        this.text = text;
    }

    /** As it is printed and stored. */
    public String text() {
        return text;
    }
}
