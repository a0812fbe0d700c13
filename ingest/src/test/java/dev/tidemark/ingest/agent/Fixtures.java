package dev.tidemark.ingest.agent;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Programs in C that the recorder's tests have too, built by its makefile where they are missing.
 */
final class Fixtures {
    private static final Path OUT = Path.of("target", "native").toAbsolutePath();

    private Fixtures() {}

    /** Builds one and returns where it is. */
    static synchronized Path build(String name) throws IOException, InterruptedException {
        Path built = OUT.resolve("test").resolve(name);
        List<String> command =
                new ArrayList<>(List.of("make", "--silent", "-C", "recorder", "OUT=" + OUT));
        command.add(built.toString());
        Process make = new ProcessBuilder(command).inheritIO().start();
        if (make.waitFor() != 0) {
            throw new IllegalStateException(String.join(" ", command) + " failed");
        }
        return built;
    }
}
