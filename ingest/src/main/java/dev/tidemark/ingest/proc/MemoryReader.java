package dev.tidemark.ingest.proc;

import dev.tidemark.schemas.avro.MemorySample;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Samples a process's memory from outside. The ring file is shared memory that the process maps, so
 * what it has touched of that is taken off the resident figures. One thread.
 */
public final class MemoryReader {
    private static final Path MEMINFO = Path.of("/proc/meminfo");
    private static final int MAX_THREADS = 256;
    private static final int MAX_LINES_TO_HEAP = 1_000;

    private final RecordedProcess process;
    private final Map<Integer, Long> switchesByThread = new HashMap<>();
    private long switchesOfEnded;

    /** A reader for one process. */
    public MemoryReader(RecordedProcess process) {
        this.process = process;
    }

    /**
     * A sample, or null when the process is gone.
     *
     * @param atNs session time that it is for
     * @param ringBytes what the process has touched of its ring file
     */
    public @Nullable MemorySample read(long atNs, long ringBytes) {
        Path folder = process.folder();
        ProcStat stat = ProcStat.read(folder);
        String status = ProcFiles.text(folder.resolve("status"));
        if (stat == null || status == null || ProcFiles.bytes(status, "VmRSS") == null) {
            return null;
        }
        String rollup = ProcFiles.text(folder.resolve("smaps_rollup"));
        Long anonymous = ProcFiles.bytes(rollup, "Anonymous");
        return MemorySample.newBuilder()
                .setAtNs(atNs)
                .setRssBytes(less(ProcFiles.bytes(status, "VmRSS"), ringBytes))
                .setSwapBytes(ProcFiles.bytes(status, "VmSwap"))
                .setAnonymousBytes(
                        anonymous == null ? ProcFiles.bytes(status, "RssAnon") : anonymous)
                .setHeapRssBytes(heapBytes(folder.resolve("smaps")))
                .setFileBytes(
                        less(ProcFiles.bytes(status, "RssFile"), ringInFiles(status, ringBytes)))
                .setPeakRssBytes(less(ProcFiles.bytes(status, "VmHWM"), ringBytes))
                .setMinorFaults(stat.minorFaults())
                .setMajorFaults(stat.majorFaults())
                .setInvoluntarySwitches(involuntarySwitches())
                .setAvailableBytes(ProcFiles.bytes(ProcFiles.text(MEMINFO), "MemAvailable"))
                .build();
    }

    /** On tmpfs the ring counts as shared memory, elsewhere as a file. */
    private static long ringInFiles(String status, long ringBytes) {
        Long shared = ProcFiles.bytes(status, "RssShmem");
        return shared != null && shared < ringBytes ? ringBytes : 0;
    }

    private static @Nullable Long less(@Nullable Long bytes, long off) {
        return bytes == null ? null : Math.max(0, bytes - off);
    }

    /** The brk heap is among the first mappings, and the kernel makes the file as it is read. */
    private static @Nullable Long heapBytes(Path smaps) {
        try (BufferedReader lines = Files.newBufferedReader(smaps)) {
            boolean isHeap = false;
            for (int i = 0; i < MAX_LINES_TO_HEAP; i++) {
                String line = lines.readLine();
                if (line == null) {
                    return null;
                }
                if (isHeap && line.startsWith("Rss:")) {
                    return ProcFiles.bytes(line, "Rss");
                }
                isHeap |= line.endsWith("[heap]");
            }
            return null;
        } catch (IOException e) {
            return null;
        }
    }

    /** Sum over the threads, those that ended included as far as they were seen. */
    private @Nullable Long involuntarySwitches() {
        Set<Integer> tasks = process.taskIds();
        if (tasks.isEmpty() || tasks.size() > MAX_THREADS) {
            return null;
        }
        switchesByThread
                .entrySet()
                .removeIf(
                        entry -> {
                            boolean hasEnded = !tasks.contains(entry.getKey());
                            switchesOfEnded += hasEnded ? entry.getValue() : 0;
                            return hasEnded;
                        });
        for (int task : tasks) {
            Path status =
                    process.folder()
                            .resolve("task")
                            .resolve(Integer.toString(task))
                            .resolve("status");
            Long now = ProcFiles.number(ProcFiles.text(status), "nonvoluntary_ctxt_switches");
            if (now == null) {
                continue;
            }
            Long before = switchesByThread.put(task, now);
            // Lower than before: the id is another thread's by now.
            switchesOfEnded += before != null && before > now ? before : 0;
        }
        return switchesOfEnded
                + switchesByThread.values().stream().mapToLong(Long::longValue).sum();
    }
}
