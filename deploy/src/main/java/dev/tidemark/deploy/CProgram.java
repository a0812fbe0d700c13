package dev.tidemark.deploy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Objects;

/** Programs in C that come as sources and are compiled where they run. */
public final class CProgram {
    private static final String PACKAGES = "sudo apt-get install gcc libc6-dev";

    private CProgram() {}

    /**
     * Compiles one; a missing compiler or a failure is a {@link Failure} of one line.
     *
     * @param folder gets the sources and the program
     * @param owner beside whom the sources lie
     * @param name of the source without .c, and of the program
     * @param headers that lie there, too; {@code tidemark.h} is found by itself
     */
    public static Path compile(Path folder, Class<?> owner, String name, List<String> headers)
            throws IOException, InterruptedException {
        if (!Executables.has("gcc")) {
            throw Failure.missingHere("gcc is missing, which builds " + name + ": " + PACKAGES);
        }
        for (String header : headers) {
            copy(owner, header, folder.resolve(header));
        }
        Path source = folder.resolve(name + ".c");
        copy(owner, name + ".c", source);
        Path program = folder.resolve(name.replace('_', '-'));
        Path log = folder.resolve(name + ".log");
        Process gcc =
                new ProcessBuilder(
                                "gcc",
                                "-O2",
                                "-fno-builtin",
                                "-pthread",
                                "-I" + Installation.recorderPath().getParent(),
                                "-o",
                                program.toString(),
                                source.toString())
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
        if (gcc.waitFor() != 0) {
            String said = Files.readString(log).strip().lines().findFirst().orElse("");
            throw Failure.missingHere(
                    "gcc could not build " + name + ": " + said + "; " + PACKAGES);
        }
        return program;
    }

    private static void copy(Class<?> owner, String resource, Path target) throws IOException {
        try (InputStream in =
                Objects.requireNonNull(owner.getResourceAsStream(resource), resource)) {
            Files.copy(in, target, StandardCopyOption.REPLACE_EXISTING);
        }
    }
}
