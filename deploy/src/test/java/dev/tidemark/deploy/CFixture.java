package dev.tidemark.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** Programs in C that tests record. */
public final class CFixture {
    private CFixture() {}

    /** Builds one that lies beside the tests as {@code NAME.c}. */
    public static Path compile(Path folder, String name) throws Exception {
        Path source = folder.resolve(name + ".c");
        try (InputStream in = CFixture.class.getResourceAsStream(name + ".c")) {
            Files.copy(Objects.requireNonNull(in), source);
        }
        Path program = folder.resolve(name);
        Path include = Objects.requireNonNull(Installation.recorderPath().getParent());
        run(
                "gcc",
                "-w",
                "-O0",
                "-fno-builtin",
                "-I" + include,
                "-o",
                program.toString(),
                source.toString());
        return program;
    }

    /** Builds one of the recorder's own by its makefile. */
    public static Path make(String name) throws Exception {
        Path built = Objects.requireNonNull(Installation.recorderPath().getParent());
        Path program = built.resolve("test").resolve(name);
        String sources = Installation.root().resolve("ingest/recorder").toString();
        run("make", "--silent", "-C", sources, "OUT=" + built, program.toString());
        return program;
    }

    private static void run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).inheritIO().start();
        assertThat(process.waitFor()).as(String.join(" ", List.of(command))).isZero();
    }
}
