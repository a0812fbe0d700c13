package dev.tidemark.deploy;

/** Which streams are a terminal, as the launcher found them. */
final class Terminal {
    private static final String STREAMS = System.getProperty("tidemark.terminal", "");

    private Terminal() {}

    static boolean isStdin() {
        return STREAMS.contains("0");
    }

    static boolean isStderr() {
        return STREAMS.contains("2");
    }

    /** How wide the terminal on stdout is; 0 where there is none. */
    static int columns() {
        return Integer.getInteger("tidemark.columns", 0);
    }
}
