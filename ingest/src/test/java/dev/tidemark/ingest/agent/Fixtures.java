package dev.tidemark.ingest.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Programs in C to record: those of the recorder's own tests, and those in src/test/c. */
final class Fixtures {
    private static final Path OUT = Path.of("target", "native").toAbsolutePath();
    private static final Path LIBRARIES = Path.of("/usr/lib/x86_64-linux-gnu");

    private Fixtures() {}

    /** Builds one of the recorder's by its makefile. */
    static synchronized Path build(String name) throws IOException, InterruptedException {
        Path built = OUT.resolve("test").resolve(name);
        run("make", "--silent", "-C", "recorder", "OUT=" + OUT, built.toString());
        return built;
    }

    /** Builds one of src/test/c. */
    static synchronized Path compile(String name) throws IOException, InterruptedException {
        Path built = OUT.resolve("test").resolve(name);
        Files.createDirectories(built.getParent());
        run(
                "cc",
                "-O1",
                "-fno-builtin",
                "-Wall",
                "-Werror",
                "-o",
                built.toString(),
                Path.of("src", "test", "c", name + ".c").toString());
        return built;
    }

    private static void run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).inheritIO().start();
        if (process.waitFor() != 0) {
            throw new IllegalStateException(String.join(" ", command) + " failed");
        }
    }

    /** An allocator's library; empty for glibc, which is there anyway, or when not installed. */
    static Optional<String> allocator(String name) {
        Map<String, List<String>> files =
                Map.of(
                        "jemalloc", List.of("libjemalloc.so.2"),
                        "mimalloc", List.of("libmimalloc.so.2", "libmimalloc.so.3"),
                        "tcmalloc", List.of("libtcmalloc_minimal.so.4"));
        if (name.equals("glibc")) {
            return Optional.of("");
        }
        return files.getOrDefault(name, List.of()).stream()
                .map(LIBRARIES::resolve)
                .filter(Files::exists)
                .map(Path::toString)
                .findFirst();
    }

    /** The numbers in {@code a=1 b=2}. */
    static Map<String, Long> numbers(Path file) throws IOException {
        Map<String, Long> numbers = new HashMap<>();
        List<String> words = new ArrayList<>();
        words.addAll(Arrays.asList(Files.readString(file).strip().split(" ", -1)));
        for (String word : words) {
            int equals = word.indexOf('=');
            numbers.put(word.substring(0, equals), Long.valueOf(word.substring(equals + 1)));
        }
        return numbers;
    }
}
