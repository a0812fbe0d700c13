package dev.tidemark.ingest.proc;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What is used of /proc/PID/stat (proc(5)).
 *
 * @param state field 3
 * @param minorFaults field 10
 * @param majorFaults field 12
 * @param threads field 20
 * @param startTicks field 22
 */
record ProcStat(char state, long minorFaults, long majorFaults, long threads, long startTicks) {
    private static final int FIRST_FIELD = 3;

    /** Null when the process is gone. */
    static @Nullable ProcStat read(Path folder) {
        String text = ProcFiles.text(folder.resolve("stat"));
        return text == null ? null : parse(text);
    }

    /** A command's name may have spaces and parentheses, so fields count from its last one. */
    static @Nullable ProcStat parse(String text) {
        int end = text.lastIndexOf(')');
        if (end < 0) {
            return null;
        }
        String[] fields = text.substring(end + 1).strip().split(" ", -1);
        if (fields.length <= 22 - FIRST_FIELD) {
            return null;
        }
        return new ProcStat(
                fields[0].charAt(0),
                Long.parseLong(fields[10 - FIRST_FIELD]),
                Long.parseLong(fields[12 - FIRST_FIELD]),
                Long.parseLong(fields[20 - FIRST_FIELD]),
                Long.parseLong(fields[22 - FIRST_FIELD]));
    }

    boolean isDead() {
        return state == 'Z' || state == 'X';
    }
}
