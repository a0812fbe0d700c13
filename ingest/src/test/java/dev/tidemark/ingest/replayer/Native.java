package dev.tidemark.ingest.replayer;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;

/** What the replayer's makefile builds. */
final class Native {
    static final Path OUT = Path.of("target", "native").toAbsolutePath();
    static final Path PROGRAM = OUT.resolve("tidemark-replayer");

    private Native() {}

    /** An allocator of replayer/test/broken.c as an arm. */
    static ReplayArm broken(String name) throws IOException, InterruptedException {
        return ReplayArm.of(name, Optional.of(build("lib" + name + ".so")), Map.of());
    }

    /** Builds a fixture. */
    static synchronized Path build(String name) throws IOException, InterruptedException {
        Path built = OUT.resolve("replayer").resolve("test").resolve(name);
        run("make", "--silent", "-C", "replayer", "OUT=" + OUT, built.toString());
        return built;
    }

    /** Runs a command and returns what it prints. */
    static String run(String... command) throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IllegalStateException(Arrays.toString(command) + " failed: " + out);
        }
        return out;
    }
}
