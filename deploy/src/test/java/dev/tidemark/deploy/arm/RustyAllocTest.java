package dev.tidemark.deploy.arm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tidemark.deploy.Executables;
import dev.tidemark.deploy.Failure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RustyAllocTest {
    private static final Path SOURCES = Path.of("../ingest/replayer/rusty_alloc").toAbsolutePath();

    @TempDir private Path folder;

    @Test
    void withoutCargoOneLineSaysWhatIsMissing() {
        RustyAlloc allocator = new RustyAlloc(SOURCES, folder);
        assertThatThrownBy(() -> allocator.library("r", "no-such-cargo"))
                .isInstanceOf(Failure.class)
                .hasMessage(
                        "arm 'r': rusty_alloc is built from source, which needs cargo 1.85 or newer (https://rustup.rs): not found");
    }

    @Test
    void aFailedBuildIsOneLineToo() {
        RustyAlloc allocator = new RustyAlloc(SOURCES, folder);
        assertThatThrownBy(() -> allocator.library("r", "false"))
                .isInstanceOf(Failure.class)
                .hasMessageStartingWith("arm 'r': rusty_alloc could not be built")
                .hasMessageNotContaining("\n");
    }

    @Test
    void aLibraryNewerThanItsSourcesIsTaken() throws Exception {
        Path library =
                Files.createDirectories(folder.resolve("native"))
                        .resolve("librusty_alloc.so.2.4.0");
        Files.writeString(library, "built before");
        RustyAlloc allocator = new RustyAlloc(SOURCES, folder);

        assertThat(allocator.library("r", "no-such-cargo")).isEqualTo(library);

        Files.setLastModifiedTime(library, FileTime.from(Instant.EPOCH));
        assertThatThrownBy(() -> allocator.library("r", "no-such-cargo"))
                .isInstanceOf(Failure.class);
    }

    @Test
    void keepsCsPromises() throws Exception {
        assumeTrue(Executables.has("cargo"), "cargo is not installed");
        Path built = Path.of("../ingest/target").toAbsolutePath().normalize();
        Path library = new RustyAlloc(SOURCES, built).library("r", "cargo");
        Path check = folder.resolve("allocator_check");
        Path source = SOURCES.resolve("test/allocator_check.c");
        run("", "gcc", "-std=gnu11", "-O1", "-fno-builtin", "-pthread", "-o", check, source);

        run(library.toString(), check, "1");
        run(library.toString(), check, "2");
    }

    private void run(String preload, Object... command) throws Exception {
        Path said = folder.resolve("said");
        ProcessBuilder builder =
                new ProcessBuilder(List.of(command).stream().map(Object::toString).toList())
                        .redirectErrorStream(true)
                        .redirectOutput(said.toFile());
        builder.environment().put("LD_PRELOAD", preload);
        assertThat(builder.start().waitFor()).as(Files.readString(said)).isZero();
    }
}
