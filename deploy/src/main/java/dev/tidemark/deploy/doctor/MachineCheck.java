package dev.tidemark.deploy.doctor;

import dev.tidemark.deploy.Executables;
import dev.tidemark.deploy.Installation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What this machine has for building, recording and comparing. */
public final class MachineCheck {
    private static final long MEBIBYTE = 1 << 20;
    private static final long USUAL_RINGS_BYTES = 64 * MEBIBYTE;

    private MachineCheck() {}

    /** Looks at everything, in the order in which it is needed. */
    public static List<Finding> all() throws IOException {
        List<Finding> findings = new ArrayList<>();
        findings.add(java());
        findings.add(tool("mvn", "builds the Java modules", "maven"));
        findings.add(tool("gcc", "builds the recorder", "gcc libc6-dev"));
        findings.add(tool("g++", "builds the tests' programs", "g++"));
        findings.add(tool("make", "builds the recorder", "make"));
        findings.add(recorder());
        findings.add(sharedMemory(Path.of("/dev/shm")));
        findings.add(clock());
        findings.add(limits());
        findings.add(machine());
        Executables.allocators().forEach(name -> findings.add(allocator(name)));
        findings.add(rustyAlloc());
        findings.add(demoServer());
        return List.copyOf(findings);
    }

    private static Finding java() {
        Path home = Path.of(System.getProperty("java.home"));
        String version = Runtime.version().toString();
        if (Files.isExecutable(home.resolve("bin/javac"))) {
            return Finding.ok("java", version + " in " + home);
        }
        return Finding.missing(
                "java", home + " has no compiler", "sudo apt-get install default-jdk-headless");
    }

    private static Finding tool(String name, String purpose, String packages) {
        if (Executables.has(name)) {
            return Finding.ok(name, purpose);
        }
        return Finding.missing(name, "not found: " + purpose, "sudo apt-get install " + packages);
    }

    private static Finding recorder() {
        Path library = Installation.recorderPath();
        if (Files.isReadable(library)) {
            return Finding.ok("recorder", library.toString());
        }
        return Finding.missing("recorder", library + " is not there", "mvn package -DskipTests");
    }

    private static Finding sharedMemory(Path folder) {
        if (!Files.isWritable(folder)) {
            return Finding.note(
                    "shared memory",
                    folder + " can't be written: rings go to the temporary folder, on disk",
                    "mount a tmpfs there");
        }
        long freeBytes = folder.toFile().getUsableSpace();
        String detail = "%s has %,d MiB free".formatted(folder, freeBytes / MEBIBYTE);
        if (freeBytes >= USUAL_RINGS_BYTES) {
            return Finding.ok("shared memory", detail + ", 1 for each thread is used");
        }
        return Finding.note(
                "shared memory",
                detail + ": programs of more threads than that lose calls, counted",
                "mount -o remount,size=256m /dev/shm (in a container: --shm-size 256m), or record --ring-dir DIR");
    }

    private static Finding clock() throws IOException {
        Path path = Path.of("/sys/devices/system/clocksource/clocksource0/current_clocksource");
        String source = firstLine(path).orElse("unknown");
        if (source.equals("tsc") || source.equals("arch_sys_counter")) {
            return Finding.ok("clock", source + ": the processor's own counter is used");
        }
        return Finding.note(
                "clock",
                source + ": CLOCK_MONOTONIC_RAW is used, stamps cost more",
                "where the hardware allows: clocksource=tsc on the kernel's command line");
    }

    private static Finding limits() throws IOException {
        String scope = firstLine(Path.of("/proc/sys/kernel/yama/ptrace_scope")).orElse("0");
        if (scope.equals("0") || scope.equals("1")) {
            return Finding.ok(
                    "limits",
                    "ptrace_scope " + scope + ": the memory of own processes can be read");
        }
        return Finding.note(
                "limits",
                "ptrace_scope " + scope + ": memory samples may lack what smaps_rollup tells",
                "sysctl kernel.yama.ptrace_scope=1");
    }

    private static Finding machine() throws IOException {
        String pages =
                firstLine(Path.of("/sys/kernel/mm/transparent_hugepage/enabled"))
                        .map(line -> line.replaceAll(".*\\[(\\w+)\\].*", "$1"))
                        .orElse("unknown");
        String governor =
                firstLine(Path.of("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"))
                        .orElse("unknown");
        return Finding.ok(
                "machine",
                "%d cores, Linux %s, huge pages %s, governor %s"
                        .formatted(
                                Runtime.getRuntime().availableProcessors(),
                                System.getProperty("os.version"),
                                pages,
                                governor));
    }

    private static Finding allocator(String name) {
        Optional<Path> library = Executables.allocator(name);
        return library.isPresent()
                ? Finding.ok(name, library.get().toString())
                : Finding.note(
                        name,
                        "not found: --arm " + name + " can't be used",
                        "sudo apt-get install " + Executables.allocatorPackage(name));
    }

    private static Finding rustyAlloc() {
        return Executables.has("cargo")
                ? Finding.ok("rusty_alloc", "built with cargo when --arm rusty_alloc asks for it")
                : Finding.note(
                        "rusty_alloc",
                        "cargo not found: --arm rusty_alloc can't be built",
                        "cargo 1.85 or newer, from https://rustup.rs");
    }

    private static Finding demoServer() {
        Optional<Path> server = Executables.minetestServer();
        return server.isPresent()
                ? Finding.ok("demo server", server.get().toString())
                : Finding.note(
                        "demo server",
                        "minetestserver not found: the demo uses its built-in sample server",
                        "sudo apt-get install minetest-server");
    }

    private static Optional<String> firstLine(Path path) throws IOException {
        if (!Files.isReadable(path)) {
            return Optional.empty();
        }
        return Files.readString(path).lines().findFirst().map(String::strip);
    }
}
