package dev.tidemark.ingest.proc;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Small files of the kernel. */
final class ProcFiles {
    private static final int MAX_BYTES = 1 << 20;
    private static final long KIB = 1024;

    private ProcFiles() {}

    /** A file's text, or null when there is none or it may not be read. */
    static @Nullable String text(Path path) {
        try (InputStream in = Files.newInputStream(path)) {
            return new String(in.readNBytes(MAX_BYTES), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return null;
        }
    }

    /** A file's first line, trimmed; null when there is none or it is empty. */
    static @Nullable String line(Path path) {
        String text = text(path);
        if (text == null || text.isBlank()) {
            return null;
        }
        return text.lines().findFirst().map(String::strip).orElse(null);
    }

    /** The number behind {@code NAME:} at the start of a line, or null. */
    static @Nullable Long number(@Nullable String text, String name) {
        if (text == null) {
            return null;
        }
        int at = text.startsWith(name + ":") ? 0 : text.indexOf("\n" + name + ":") + 1;
        if (at == 0 && !text.startsWith(name + ":")) {
            return null;
        }
        int from = at + name.length() + 1;
        while (from < text.length() && (text.charAt(from) == ' ' || text.charAt(from) == '\t')) {
            from++;
        }
        int to = from;
        while (to < text.length() && Character.isDigit(text.charAt(to))) {
            to++;
        }
        return to == from || to - from > 18 ? null : Long.valueOf(text.substring(from, to));
    }

    /** As {@link #number}, for a figure in kB, in bytes. */
    static @Nullable Long bytes(@Nullable String text, String name) {
        Long kib = number(text, name);
        return kib == null ? null : kib * KIB;
    }
}
