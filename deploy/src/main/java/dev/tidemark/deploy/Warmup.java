package dev.tidemark.deploy;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * Loads the classes that a run loads: the launcher runs this once while the JVM writes down what
 * was loaded, for a faster start of everything after.
 */
public final class Warmup {
    private Warmup() {}

    public static void main(String[] arguments) throws IOException {
        try (TemporaryFolder folder = TemporaryFolder.create("warmup")) {
            String lake = folder.path().resolve("lake").toString();
            run("--help");
            run("doctor");
            run("record", "--lake", lake, "--", "/bin/ls", "/");
            run("sessions", "--lake", lake);
            run("sql", "--lake", lake, "SELECT count(*) FROM frames");
        }
        System.exit(ExitCode.DONE);
    }

    private static void run(String... command) {
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        int exitCode = Tidemark.run(command, Map.of(), out, out);
        out.println("exit code " + exitCode + " of " + String.join(" ", command));
    }
}
