package dev.tidemark.ingest.proc;

import dev.tidemark.schemas.avro.Host;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Facts about this machine that change results. */
public final class HostFacts {
    private static final Path HUGE_PAGES = Path.of("/sys/kernel/mm/transparent_hugepage/enabled");
    private static final Path GOVERNOR =
            Path.of("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
    private static final Path CLOCK_SOURCE =
            Path.of("/sys/devices/system/clocksource/clocksource0/current_clocksource");

    private HostFacts() {}

    /**
     * Reads them.
     *
     * @param salt hashes the machine's name; null leaves it out
     */
    public static Host read(@Nullable Salt salt) {
        String name = ProcFiles.line(Path.of("/proc/sys/kernel/hostname"));
        return Host.newBuilder()
                .setHost(salt == null || name == null ? null : salt.hash(name))
                .setCpuModel(cpuModel())
                .setCores(Runtime.getRuntime().availableProcessors())
                .setKernel(ProcFiles.line(Path.of("/proc/sys/kernel/osrelease")))
                .setMemoryBytes(
                        ProcFiles.bytes(ProcFiles.text(Path.of("/proc/meminfo")), "MemTotal"))
                .setHugePages(chosen(ProcFiles.line(HUGE_PAGES)))
                .setGovernor(ProcFiles.line(GOVERNOR))
                .setClockSource(ProcFiles.line(CLOCK_SOURCE))
                .build();
    }

    private static @Nullable String cpuModel() {
        String text = ProcFiles.text(Path.of("/proc/cpuinfo"));
        if (text == null) {
            return null;
        }
        return text.lines()
                .filter(line -> line.startsWith("model name"))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .findFirst()
                .orElse(null);
    }

    /** The word in brackets, as in {@code always [madvise] never}. */
    private static @Nullable String chosen(@Nullable String line) {
        if (line == null || line.indexOf('[') < 0 || line.indexOf(']') < line.indexOf('[')) {
            return null;
        }
        return line.substring(line.indexOf('[') + 1, line.indexOf(']'));
    }
}
