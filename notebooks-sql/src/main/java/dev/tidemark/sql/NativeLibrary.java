package dev.tidemark.sql;

import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.jar.JarEntry;

/**
 * DuckDB's own library, unpacked from its jar once for all processes of this user. DuckDB unpacks
 * 70 MB anew in every process, which takes longer than most queries.
 *
 * <p>The file is named by its size and checksum in the jar, written under another name and renamed,
 * so that it is whole whenever it is there.
 */
final class NativeLibrary {
    private NativeLibrary() {}

    /** The resource that DuckDB unpacks on this machine. */
    static String resource() {
        String os = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
        String arch = System.getProperty("os.arch", "").toLowerCase(Locale.ROOT);
        String family = os.startsWith("mac") ? "macos" : os.startsWith("windows") ? "windows" : os;
        return "libduckdb_java.so_"
                + family
                + "_"
                + switch (arch) {
                    case "x86_64" -> "amd64";
                    case "aarch64" -> "arm64";
                    default -> arch;
                };
    }

    /** Where caches of this user lie. */
    static Path cacheFolder(Map<String, String> environment) {
        String cache = environment.getOrDefault("XDG_CACHE_HOME", "");
        Path root =
                cache.isEmpty()
                        ? Path.of(System.getProperty("user.home", "."), ".cache")
                        : Path.of(cache);
        return root.resolve("tidemark");
    }

    /**
     * The unpacked library below a folder; empty when its resource is not in a jar, or when there
     * is no room for it: DuckDB then finds its own way.
     */
    static Optional<Path> unpacked(ClassLoader classes, Path folder) {
        URL url = classes.getResource(resource());
        if (url == null) {
            return Optional.empty();
        }
        try {
            URLConnection connection = url.openConnection();
            if (!(connection instanceof JarURLConnection jar)) {
                return Optional.empty();
            }
            JarEntry entry = jar.getJarEntry();
            Path library =
                    folder.resolve("duckdb-%d-%08x".formatted(entry.getSize(), entry.getCrc()))
                            .resolve(System.mapLibraryName("duckdb_java"));
            if (!Files.isRegularFile(library) || Files.size(library) != entry.getSize()) {
                unpack(connection, library);
            }
            return Optional.of(library);
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static void unpack(URLConnection from, Path library) throws IOException {
        Path folder = Files.createDirectories(library.toAbsolutePath().getParent());
        Path part = Files.createTempFile(folder, "unpacking", ".part");
        try {
            try (InputStream in = from.getInputStream()) {
                Files.copy(in, part, StandardCopyOption.REPLACE_EXISTING);
            }
            Files.move(part, library, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(part);
        }
    }
}
