package dev.tidemark.sql;

/**
 * How much of a result a table shows.
 *
 * @param width of the terminal in columns; 0 for one without an end
 * @param maxRows rows to show; 0 for all
 */
public record TableLayout(int width, int maxRows) {
    /** What a person gets without saying. */
    public static final int USUAL_ROWS = 100;

    /** For files: everything. */
    public static final TableLayout UNBOUNDED = new TableLayout(0, 0);

    /** For a terminal of this many columns, or for none with 0. */
    public static TableLayout usual(int width) {
        return new TableLayout(width, USUAL_ROWS);
    }
}
