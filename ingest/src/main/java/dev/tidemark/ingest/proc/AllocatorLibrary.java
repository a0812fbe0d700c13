package dev.tidemark.ingest.proc;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An allocator by the library that answers malloc.
 *
 * @param name glibc, jemalloc, mimalloc, tcmalloc, or the library's name without lib and .so
 * @param version null when neither the library nor its file's name says
 */
public record AllocatorLibrary(String name, @Nullable String version) {
    private static final long MAX_SCANNED_BYTES = 16 << 20;
    private static final Pattern GLIBC =
            Pattern.compile("GNU C Library \\((?:[^)]*GLIBC )?([0-9][^) ]*)\\)");
    private static final Pattern JEMALLOC =
            Pattern.compile("([0-9]+\\.[0-9]+\\.[0-9]+)-[0-9]+-g[0-9a-f]{40}");
    private static final Pattern FILE_NAME = Pattern.compile("lib(.+?)\\.so(?:\\.([0-9][0-9.]*))?");

    /**
     * Names the allocator.
     *
     * @param path of the library; empty when unknown
     */
    public static AllocatorLibrary of(String path) {
        if (path.isEmpty()) {
            return new AllocatorLibrary("unknown", null);
        }
        Path file = resolve(Path.of(path));
        String fileName = String.valueOf(file.getFileName());
        if (fileName.startsWith("libc.so") || fileName.startsWith("libc-2")) {
            return new AllocatorLibrary("glibc", firstMatch(file, GLIBC));
        }
        if (fileName.startsWith("libjemalloc")) {
            return new AllocatorLibrary("jemalloc", firstMatch(file, JEMALLOC));
        }
        Matcher parts = FILE_NAME.matcher(fileName);
        if (!parts.matches()) {
            return new AllocatorLibrary(fileName, null);
        }
        String name = parts.group(1);
        boolean isKnown = name.startsWith("mimalloc") || name.startsWith("tcmalloc");
        return new AllocatorLibrary(isKnown ? name.substring(0, 8) : name, parts.group(2));
    }

    private static Path resolve(Path path) {
        try {
            return path.toRealPath();
        } catch (IOException e) {
            return path;
        }
    }

    private static @Nullable String firstMatch(Path file, Pattern pattern) {
        try {
            if (Files.size(file) > MAX_SCANNED_BYTES) {
                return null;
            }
            String text = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
            Matcher matcher = pattern.matcher(text);
            return matcher.find() ? matcher.group(1) : null;
        } catch (IOException e) {
            return null;
        }
    }
}
