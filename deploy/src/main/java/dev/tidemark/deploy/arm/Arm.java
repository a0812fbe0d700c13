package dev.tidemark.deploy.arm;

import dev.tidemark.deploy.Failure;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.ITypeConverter;

/**
 * What a program runs under: {@code NAME}, {@code NAME=LIB}, {@code NAME,K=V,...} or {@code
 * NAME=LIB,K=V,...}.
 *
 * <p>A part without {@code =} belongs to the value before it, since values have commas too. LIB is
 * what {@link ArmLibrary} knows; NAME alone is a label, and means the library of that name where
 * there is one.
 *
 * @param name the label
 * @param builtIn the replayer's own allocator that serves instead of or in front of the library
 * @param library what is preloaded; empty for the allocator that the program comes with
 * @param policy environment variables that steer the allocator
 */
public record Arm(
        String name,
        Optional<BuiltInAllocator> builtIn,
        Optional<Path> library,
        Map<String, String> policy) {
    /** The allocator that the program comes with. */
    public static final Arm DEFAULT = of("default", Optional.empty(), Map.of());

    private static final int MAX_NAME = 100;

    /** An arm of a library. */
    public static Arm of(String name, Optional<Path> library, Map<String, String> policy) {
        return new Arm(name, Optional.empty(), library, policy);
    }

    /** Reads an arm; one without a name or with an unknown library is a {@link Failure}. */
    public static Arm parse(String text) {
        String[] parts = text.split(",", -1);
        int equals = parts[0].indexOf('=');
        String name = checkedName(equals < 0 ? parts[0] : parts[0].substring(0, equals), text);
        String library = equals < 0 ? name : parts[0].substring(equals + 1);
        if (equals < 0 && !ArmLibrary.isName(name)) {
            return of(name, Optional.empty(), policy(parts));
        }
        return ArmLibrary.named(library, name).arm(name, policy(parts));
    }

    /**
     * Like {@link #parse}, but a name alone must be an allocator's: where arms are compared, a
     * misspelt one must not be measured as another.
     */
    public static Arm parseNamed(String text) {
        String name = text.split(",", -1)[0];
        if (!name.contains("=") && !ArmLibrary.isName(name)) {
            throw Failure.badInput(
                    "arm '%s': no allocator of that name%s; a label of your own is NAME=LIB"
                            .formatted(text, Spelling.hint(name, ArmLibrary.names())));
        }
        return parse(text);
    }

    static String checkedName(String name, String text) {
        if (name.isBlank()) {
            throw Failure.wrongUsage(
                    "arm '" + text + "': no name; write NAME, NAME=LIB or NAME=LIB,K=V");
        }
        if (name.length() > MAX_NAME || name.chars().anyMatch(Character::isISOControl)) {
            throw Failure.wrongUsage(
                    "arm '%.20s...': a name has up to %d printable characters"
                            .formatted(name.replaceAll("\\p{Cntrl}", "?"), MAX_NAME));
        }
        return name;
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

    /** For command lines. */
    public static final class Converter implements ITypeConverter<Arm> {
        @Override
        public Arm convert(String text) {
            return parse(text);
        }
    }
}
