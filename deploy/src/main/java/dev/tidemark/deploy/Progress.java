package dev.tidemark.deploy;

import java.io.PrintStream;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/**
 * How far a longer step has come: a bar on stderr where that is a terminal, else nothing but {@link
 * #note}'s lines.
 */
public final class Progress {
    private static final int LINE_COLUMNS = 78;
    private static final int UPDATE_MS = 200;

    private final boolean isTerminal;
    private final PrintStream err;

    private Progress(boolean isTerminal, PrintStream err) {
        this.isTerminal = isTerminal;
        this.err = err;
    }

    /** As the launcher found stderr to be. */
    public static Progress onStderr() {
        return new Progress(Terminal.isStderr(), System.err);
    }

    /** A line that is worth having in a log, too. */
    public void note(String line) {
        err.println("tidemark: " + line);
    }

    /** A step of unknown length; closing it ends its line. */
    public Step begin(String task) {
        return begin(task, -1);
    }

    /** A step of this many units. */
    public Step begin(String task, long units) {
        return new Step(isTerminal ? bar(task, units) : null);
    }

    private ProgressBar bar(String task, long units) {
        return new ProgressBarBuilder()
                .setTaskName(task)
                .setInitialMax(units)
                .setStyle(ProgressBarStyle.ASCII)
                .setUpdateIntervalMillis(UPDATE_MS)
                .setConsumer(new ConsoleProgressBarConsumer(err, LINE_COLUMNS))
                .build();
    }

    /** A step under way. */
    public static final class Step implements AutoCloseable {
        private final @Nullable ProgressBar bar;

        private Step(@Nullable ProgressBar bar) {
            this.bar = bar;
        }

        /** So many units are done, with a word on it. */
        public void at(long units, String word) {
            if (bar != null) {
                bar.stepTo(units);
                bar.setExtraMessage(word);
            }
        }

        @Override
        public void close() {
            if (bar != null) {
                bar.close();
            }
        }
    }
}
