package dev.tidemark.ingest.agent;

import dev.tidemark.schemas.avro.Role;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a recorded process's environment says about its session: {@code TIDEMARK_TITLE, _ROLE,
 * _BUILD, _SCENE, _RUN, _ROUND, _ARM, _LABELS, _FRAMES, _TICKS, _MEMORY_INTERVAL, _THREAD_NAMES}.
 * What is missing or makes no sense is the default; the environment may be anybody's.
 */
record SessionSettings(
        String title,
        Role role,
        @Nullable String build,
        @Nullable String scene,
        @Nullable String runId,
        @Nullable Integer round,
        String arm,
        Map<String, String> labels,
        Map<String, String> policy,
        String frames,
        String ticks,
        @Nullable Long memoryIntervalMs,
        @Nullable ThreadNames threadNames) {
    private static final String PREFIX = "TIDEMARK_";
    private static final int MAX_TEXT = 1_000;

    /**
     * Reads them.
     *
     * @param environment TIDEMARK_* and what steers an allocator
     * @param executable names the title where the environment doesn't
     */
    static SessionSettings of(Map<String, String> environment, String executable) {
        String ticks = text(environment, "TICKS", "auto");
        boolean isServer = environment.containsKey(PREFIX + "TICKS") && !ticks.equals("none");
        return new SessionSettings(
                text(environment, "TITLE", fileName(executable)),
                role(text(environment, "ROLE", isServer ? "server" : "client")),
                textOrNull(environment, "BUILD"),
                textOrNull(environment, "SCENE"),
                textOrNull(environment, "RUN"),
                round(textOrNull(environment, "ROUND")),
                text(environment, "ARM", "default"),
                pairs(text(environment, "LABELS", "")),
                policy(environment),
                text(environment, "FRAMES", "auto"),
                ticks,
                millis(textOrNull(environment, "MEMORY_INTERVAL")),
                threadNames(text(environment, "THREAD_NAMES", "")));
    }

    private static String text(Map<String, String> environment, String name, String otherwise) {
        String text = textOrNull(environment, name);
        return text == null ? otherwise : text;
    }

    private static @Nullable String textOrNull(Map<String, String> environment, String name) {
        String text = environment.get(PREFIX + name);
        if (text == null || text.isBlank()) {
            return null;
        }
        return text.length() > MAX_TEXT ? text.substring(0, MAX_TEXT) : text;
    }

    private static String fileName(String executable) {
        Path name = executable.isEmpty() ? null : Path.of(executable).getFileName();
        return name == null ? "unknown" : name.toString();
    }

    private static Role role(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "client" -> Role.CLIENT;
            case "server" -> Role.SERVER;
            default -> Role.UNKNOWN;
        };
    }

    private static @Nullable Integer round(@Nullable String text) {
        Long round = millis(text);
        return round == null || round > Integer.MAX_VALUE ? null : round.intValue();
    }

    private static @Nullable Long millis(@Nullable String text) {
        return text != null && text.matches("[0-9]{1,15}") ? Long.valueOf(text) : null;
    }

    private static @Nullable ThreadNames threadNames(String text) {
        return switch (text) {
            case "keep" -> ThreadNames.KEEP;
            case "hash" -> ThreadNames.HASH;
            case "off" -> ThreadNames.OFF;
            default -> null;
        };
    }

    /** K=V,K=V; a part without = belongs to the value before it. */
    private static Map<String, String> pairs(String text) {
        Map<String, String> pairs = new LinkedHashMap<>();
        String last = "";
        for (String part : text.split(",", -1)) {
            int equals = part.indexOf('=');
            if (equals > 0) {
                last = part.substring(0, equals);
                pairs.put(last, part.substring(equals + 1));
            } else if (!last.isEmpty()) {
                pairs.merge(last, part, (before, more) -> before + "," + more);
            }
        }
        return pairs;
    }

    private static Map<String, String> policy(Map<String, String> environment) {
        Map<String, String> policy = new LinkedHashMap<>(environment);
        policy.keySet().removeIf(key -> key.startsWith(PREFIX) || key.startsWith("LD_"));
        return policy;
    }
}
