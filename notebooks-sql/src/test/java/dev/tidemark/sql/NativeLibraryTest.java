package dev.tidemark.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class NativeLibraryTest {
    private static final ClassLoader CLASSES = NativeLibraryTest.class.getClassLoader();

    @TempDir private Path temp;

    @Test
    void unpacksOnce() throws Exception {
        Path library = NativeLibrary.unpacked(CLASSES, temp).orElseThrow();
        FileTime longAgo = FileTime.fromMillis(1_000_000_000_000L);
        Files.setLastModifiedTime(library, longAgo);

        assertThat(NativeLibrary.unpacked(CLASSES, temp)).contains(library);
        assertThat(Files.getLastModifiedTime(library)).isEqualTo(longAgo);
        try (Stream<Path> files = Files.list(library.getParent())) {
            assertThat(files).containsExactly(library);
        }
    }

    @Test
    void replacesAFileThatIsNotWhole() throws Exception {
        Path library = NativeLibrary.unpacked(CLASSES, temp).orElseThrow();
        long size = Files.size(library);
        Files.writeString(library, "cut");

        assertThat(NativeLibrary.unpacked(CLASSES, temp)).contains(library);
        assertThat(Files.size(library)).isEqualTo(size);
    }

    @Test
    void leavesItToDuckDbWhereThereIsNoRoom() throws Exception {
        Path file = Files.writeString(temp.resolve("file"), "");

        assertThat(NativeLibrary.unpacked(CLASSES, file)).isEmpty();
    }

    @Test
    void theCacheIsTheUsers() {
        assertThat(NativeLibrary.cacheFolder(Map.of("XDG_CACHE_HOME", "/x/cache")))
                .isEqualTo(Path.of("/x/cache/tidemark"));
        assertThat(NativeLibrary.cacheFolder(Map.of()))
                .isEqualTo(Path.of(System.getProperty("user.home"), ".cache", "tidemark"));
    }
}
