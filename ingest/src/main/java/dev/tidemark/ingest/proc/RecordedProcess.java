package dev.tidemark.ingest.proc;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A process as this machine's /proc shows it. The id by which it knows itself may be of another
 * namespace, and ids are recycled: its start time tells it apart.
 */
public final class RecordedProcess {
    private static final Path PROC = Path.of("/proc");

    private final int pid;
    private final boolean isOfThisNamespace;
    private final long startTicks;

    private RecordedProcess(int pid, boolean isOfThisNamespace, long startTicks) {
        this.pid = pid;
        this.isOfThisNamespace = isOfThisNamespace;
        this.startTicks = startTicks;
    }

    /**
     * Finds a living process.
     *
     * @param ownPid the id by which it knows itself
     * @param startTicks field 22 of its /proc/PID/stat
     * @return null when it is dead, or can't be seen from here
     */
    public static @Nullable RecordedProcess find(int ownPid, long startTicks) {
        RecordedProcess here = new RecordedProcess(ownPid, true, startTicks);
        if (here.isStartedThen()) {
            return here;
        }
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (Path folder : processes) {
                int pid = Integer.parseInt(folder.getFileName().toString());
                RecordedProcess candidate = new RecordedProcess(pid, false, startTicks);
                if (candidate.isStartedThen() && candidate.ownPid() == ownPid) {
                    return candidate;
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            return null;
        }
        return null;
    }

    /** The process's folder in /proc. */
    Path folder() {
        return PROC.resolve(Integer.toString(pid));
    }

    /** Whether the id by which it knows itself is the one that is known here. */
    public boolean isOfThisNamespace() {
        return isOfThisNamespace;
    }

    /** Whether it still runs: not gone, not waiting to be reaped, its id not another's by now. */
    public boolean isAlive() {
        ProcStat stat = ProcStat.read(folder());
        if (stat == null || stat.startTicks() != startTicks) {
            return false;
        }
        // A main thread that ended before the others is a zombie, too.
        return !stat.isDead() || (stat.threads() > 1 && taskIds().size() > 1);
    }

    private boolean isStartedThen() {
        ProcStat stat = ProcStat.read(folder());
        return stat != null && stat.startTicks() == startTicks;
    }

    private int ownPid() {
        String status = ProcFiles.text(folder().resolve("status"));
        if (status == null) {
            return -1;
        }
        int at = status.indexOf("\nNSpid:");
        if (at < 0) {
            return -1;
        }
        String line = status.substring(at + 1, status.indexOf('\n', at + 1));
        return Integer.parseInt(line.substring(line.lastIndexOf('\t') + 1).strip());
    }

    /** Ids of its threads in this namespace; empty when it is gone. */
    Set<Integer> taskIds() {
        Set<Integer> ids = new HashSet<>();
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(folder().resolve("task"))) {
            for (Path task : tasks) {
                ids.add(Integer.valueOf(task.getFileName().toString()));
            }
        } catch (IOException | DirectoryIteratorException e) {
            return Set.of();
        }
        return ids;
    }

    /** Ids of its threads as it sees them; null when they can't be told from here. */
    public @Nullable Set<Integer> ownTaskIds() {
        Set<Integer> ids = isOfThisNamespace ? taskIds() : Set.of();
        return ids.isEmpty() ? null : ids;
    }

    /** A thread's name now; null when it is gone or can't be told from here. */
    public @Nullable String threadName(int ownTid) {
        if (!isOfThisNamespace) {
            return null;
        }
        return ProcFiles.line(
                folder().resolve("task").resolve(Integer.toString(ownTid)).resolve("comm"));
    }
}
