package dev.tidemark.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TemporaryFolderTest {
    @TempDir private Path parent;

    @Test
    void goesWithEverythingInItAndLeavesTheRest() throws Exception {
        Path kept = Files.writeString(parent.resolve("kept"), "x");
        try (TemporaryFolder folder = TemporaryFolder.below(parent, "test")) {
            Path deep = Files.createDirectories(folder.path().resolve("a/b"));
            Files.writeString(deep.resolve("file"), "x");
            Files.createSymbolicLink(folder.path().resolve("link"), kept);
            assertThat(Files.getAttribute(folder.path(), "unix:mode")).isEqualTo(040700);
        }
        try (var left = Files.list(parent)) {
            assertThat(left).containsExactly(kept);
        }
    }
}
