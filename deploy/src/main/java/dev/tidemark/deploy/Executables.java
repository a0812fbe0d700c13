package dev.tidemark.deploy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds programs as a shell does, and libraries where Debian keeps them. */
public final class Executables {
    private static final List<String> LIBRARY_FOLDERS =
            Stream.of("x86_64-linux-gnu", "aarch64-linux-gnu", "")
                    .flatMap(triple -> Stream.of("/usr/lib/" + triple, "/lib/" + triple))
                    .toList();
    private static final Map<String, List<String>> ALLOCATORS =
            Map.of(
                    "jemalloc", List.of("libjemalloc.so.2"),
                    "mimalloc", List.of("libmimalloc.so.2", "libmimalloc.so.3"),
                    "tcmalloc", List.of("libtcmalloc_minimal.so.4"));

    private static final Map<String, String> PACKAGES =
            Map.of(
                    "jemalloc", "libjemalloc2",
                    "mimalloc", "libmimalloc-dev",
                    "tcmalloc", "libtcmalloc-minimal4");

    /**
     * The Minetest server of Debian 12 and, under its newer name, of Debian 13: the programs before
     * the scripts that start them.
     */
    private static final List<String> MINETEST_SERVERS =
            List.of(
                    "/usr/lib/minetest/minetestserver",
                    "/usr/libexec/luanti/luantiserver",
                    "/usr/games/minetestserver",
                    "/usr/games/luantiserver");

    private Executables() {}

    /**
     * The program that {@code command} names: a path, or a name to look up in {@code PATH}. Not
     * found, or found and not runnable, is a {@link Failure} with the code that a shell gives.
     */
    public static Path find(String command) {
        List<Path> candidates = candidates(command);
        for (Path candidate : candidates) {
            if (Files.isRegularFile(candidate) && Files.isExecutable(candidate)) {
                return candidate;
            }
        }
        for (Path candidate : candidates) {
            if (Files.exists(candidate)) {
                throw new Failure(
                        ExitCode.NOT_RUNNABLE,
                        candidate + ": can't be run: not an executable file");
            }
        }
        throw new Failure(ExitCode.NOT_FOUND, command + ": no such program");
    }

    /** Whether {@code PATH} has it. */
    public static boolean has(String name) {
        return candidates(name).stream()
                .anyMatch(path -> Files.isRegularFile(path) && Files.isExecutable(path));
    }

    /** Debian's Minetest server, where it is installed. */
    public static Optional<Path> minetestServer() {
        return MINETEST_SERVERS.stream().map(Path::of).filter(Files::isExecutable).findFirst();
    }

    private static List<Path> candidates(String command) {
        if (command.contains("/")) {
            return List.of(Path.of(command));
        }
        String path = Objects.requireNonNullElse(System.getenv("PATH"), "/usr/bin:/bin");
        return Stream.of(path.split(":", -1))
                .map(folder -> Path.of(folder.isEmpty() ? "." : folder, command))
                .toList();
    }

    /** A shared library by its file name. */
    public static Optional<Path> library(String fileName) {
        return LIBRARY_FOLDERS.stream()
                .map(folder -> Path.of(folder, fileName))
                .filter(Files::isReadable)
                .findFirst();
    }

    /** Names of the allocators that {@link #allocator} looks for, in alphabetical order. */
    public static List<String> allocators() {
        return ALLOCATORS.keySet().stream().sorted().toList();
    }

    /** The Debian package of one of {@link #allocators}. */
    public static String allocatorPackage(String name) {
        return PACKAGES.getOrDefault(name, name);
    }

    /** Whether it is the name of an allocator whose library {@link #allocator} looks for. */
    public static boolean isAllocator(String name) {
        return ALLOCATORS.containsKey(name);
    }

    /** Debian's library of {@code jemalloc}, {@code mimalloc} or {@code tcmalloc}. */
    public static Optional<Path> allocator(String name) {
        return ALLOCATORS.getOrDefault(name, List.of()).stream()
                .flatMap(fileName -> library(fileName).stream())
                .findFirst();
    }
}
