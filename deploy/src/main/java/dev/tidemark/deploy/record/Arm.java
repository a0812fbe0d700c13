package dev.tidemark.deploy.record;

import dev.tidemark.deploy.Executables;
import dev.tidemark.deploy.Failure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.ITypeConverter;

/**
 * What a program runs under: {@code NAME}, {@code NAME=LIB} or {@code NAME=LIB,K=V,...}.
 *
 * <p>A part without {@code =} belongs to the value before it, since values have commas too. LIB is
 * a path, or {@code glibc} (nothing is preloaded), {@code jemalloc}, {@code mimalloc}, {@code
 * tcmalloc} (Debian's libraries); NAME alone is a label, and means the library of that name where
 * there is one.
 *
 * @param name the label
 * @param library what is preloaded behind the recorder
 * @param policy environment variables that steer the allocator
 */
public record Arm(String name, Optional<Path> library, Map<String, String> policy) {
    /** The allocator that the program comes with. */
    public static final Arm DEFAULT = new Arm("default", Optional.empty(), Map.of());

    /** Reads an arm; one without a name or with an unknown library is a {@link Failure}. */
    public static Arm parse(String text) {
        int equals = text.indexOf('=');
        String name = equals < 0 ? text : text.substring(0, equals);
        if (name.isBlank()) {
            throw Failure.wrongUsage(
                    "arm '" + text + "': no name; write NAME, NAME=LIB or NAME=LIB,K=V");
        }
        if (equals < 0) {
            boolean isAllocator = Executables.isAllocator(name);
            return new Arm(name, isAllocator ? library(text, name) : Optional.empty(), Map.of());
        }
        String[] parts = text.substring(equals + 1).split(",", -1);
        return new Arm(name, library(text, parts[0]), policy(parts));
    }

    private static Map<String, String> policy(String[] parts) {
        Map<String, String> policy = new LinkedHashMap<>();
        String key = "";
        for (int i = 1; i < parts.length; i++) {
            int equals = parts[i].indexOf('=');
            if (equals > 0) {
                key = parts[i].substring(0, equals);
                policy.put(key, parts[i].substring(equals + 1));
            } else if (key.isEmpty()) {
                throw Failure.wrongUsage(
                        "policy '" + parts[i] + "' has no '='; write NAME=LIB,K=V");
            } else {
                policy.merge(key, parts[i], (value, more) -> value + "," + more);
            }
        }
        return policy;
    }

    private static Optional<Path> library(String arm, String library) {
        if (library.equals("glibc")) {
            return Optional.empty();
        }
        if (Executables.isAllocator(library)) {
            return Optional.of(
                    Executables.allocator(library)
                            .orElseThrow(
                                    () ->
                                            Failure.missingHere(
                                                    "arm '%s': %s is not installed; ./tidemark doctor says how"
                                                            .formatted(arm, library))));
        }
        Path path = Path.of(library).toAbsolutePath();
        if (!Files.isReadable(path)) {
            throw Failure.badInput("arm '%s': %s: no such library".formatted(arm, path));
        }
        return Optional.of(path);
    }

    /** For command lines. */
    public static final class Converter implements ITypeConverter<Arm> {
        @Override
        public Arm convert(String text) {
            return parse(text);
        }
    }
}
