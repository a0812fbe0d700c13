package dev.tidemark.sql;

import java.io.PrintWriter;
import java.nio.file.Path;

/** Where a result goes, and how. */
public sealed interface QueryOutput {
    ResultFormat format();

    /** Prints; results of all statements of a script come one after the other. */
    record ToWriter(PrintWriter writer, ResultFormat format, TableLayout layout)
            implements QueryOutput {}

    /** Writes a file, which is there when it is whole; it gets the last result of a script. */
    record ToFile(Path file, ResultFormat format) implements QueryOutput {
        /**
         * Picks the format by the file's ending.
         *
         * @throws LakeException when it names none
         */
        public static ToFile byEnding(Path file) throws LakeException {
            return new ToFile(file, ResultFormat.ofFile(file));
        }
    }
}
