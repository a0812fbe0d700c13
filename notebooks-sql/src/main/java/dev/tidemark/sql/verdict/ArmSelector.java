package dev.tidemark.sql.verdict;

import dev.tidemark.sql.LakeException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Names the sessions of one side of a comparison: an arm, or {@code build=1.5,arm=glibc}.
 *
 * @param label as it was asked for
 * @param conditions values of columns of the session's row
 */
public record ArmSelector(String label, Map<String, String> conditions) {
    static final String ARM = "arm";
    static final String BUILD = "build";

    private static final List<String> KEYS = List.of(ARM, BUILD, "scene", "allocator", "title");

    /** Keeps the order. */
    public ArmSelector {
        conditions = new LinkedHashMap<>(conditions);
    }

    /**
     * Reads NAME or K=V,...; a part that begins with no known K= belongs to the value before it.
     *
     * @throws LakeException when it names nothing
     */
    public static ArmSelector parse(String text) throws LakeException {
        if (text.isBlank()) {
            throw new LakeException("an arm without a name; write NAME or build=B,arm=NAME");
        }
        Map<String, String> conditions = new LinkedHashMap<>();
        String key = "";
        for (String part : text.split(",", -1)) {
            int equals = part.indexOf('=');
            String before = equals > 0 ? part.substring(0, equals).strip() : "";
            if (KEYS.contains(before)) {
                key = before;
                conditions.put(key, part.substring(equals + 1));
            } else if (key.isEmpty()) {
                return new ArmSelector(text, Map.of(ARM, text));
            } else {
                conditions.merge(key, part, (value, more) -> value + "," + more);
            }
        }
        return new ArmSelector(text, conditions);
    }

    boolean names(String key) {
        return conditions.containsKey(key);
    }

    String condition(String key) {
        return conditions.getOrDefault(key, "");
    }

    /** The same sessions but for one condition. */
    ArmSelector with(String key, String value) {
        Map<String, String> other = new LinkedHashMap<>(conditions);
        other.put(key, value);
        String text =
                other.keySet().equals(java.util.Set.of(ARM))
                        ? value
                        : other.entrySet().stream()
                                .map(entry -> entry.getKey() + "=" + entry.getValue())
                                .collect(Collectors.joining(","));
        return new ArmSelector(text, other);
    }

    /** Whether a session is one of them; those of a null arm are only where it is named. */
    boolean matches(SessionRow row) {
        return (names(ARM) || row.nullOf() == null)
                && conditions.entrySet().stream()
                        .allMatch(
                                condition ->
                                        condition.getValue().equals(row.field(condition.getKey())));
    }
}
