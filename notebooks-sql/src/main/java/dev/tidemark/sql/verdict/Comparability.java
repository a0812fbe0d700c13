package dev.tidemark.sql.verdict;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** What sessions must share to be compared, whatever their clock or kind of round. */
final class Comparability {
    private static final List<String> RECORDING = List.of("source_session_id");
    private static final List<String> PLAYED = List.of("title", "build", "scene", "role");
    private static final List<String> MACHINE =
            List.of(
                    "kind",
                    "size_basis",
                    "frame_definition",
                    "tick_definition",
                    "cpu_model",
                    "cores",
                    "kernel",
                    "huge_pages",
                    "governor");

    private final Map<String, String> reference;

    private Comparability(Map<String, String> reference) {
        this.reference = reference;
    }

    /**
     * What most of the baseline's sessions are like.
     *
     * @param baseline one or more, the newest first, which decides where two are as many
     * @param arms sides may differ in what they name
     */
    static Comparability of(List<SessionRow> baseline, Arms arms) {
        boolean isReplay =
                baseline.stream().anyMatch(row -> row.fields().containsKey("source_session_id"));
        List<String> columns = new ArrayList<>(MACHINE);
        columns.addAll(isReplay && !arms.isFree(ArmSelector.BUILD) ? RECORDING : PLAYED);
        columns.removeIf(arms::isFree);
        Map<List<String>, Long> counted =
                baseline.stream()
                        .collect(
                                Collectors.groupingBy(
                                        row -> columns.stream().map(row::field).toList(),
                                        java.util.LinkedHashMap::new,
                                        Collectors.counting()));
        long most = counted.values().stream().mapToLong(Long::longValue).max().orElseThrow();
        List<String> values =
                counted.entrySet().stream()
                        .filter(entry -> entry.getValue() == most)
                        .map(Map.Entry::getKey)
                        .findFirst()
                        .orElseThrow();
        Map<String, String> reference = new java.util.LinkedHashMap<>();
        for (int i = 0; i < columns.size(); i++) {
            reference.put(columns.get(i), values.get(i));
        }
        return new Comparability(reference);
    }

    /** Why a session can't be compared; empty when it can. */
    Optional<String> reason(SessionRow row) {
        String unusable = row.unusableReason();
        if (unusable != null) {
            return Optional.of(unusable);
        }
        String differences =
                reference.entrySet().stream()
                        .filter(entry -> !row.field(entry.getKey()).equals(entry.getValue()))
                        .map(
                                entry ->
                                        differs(
                                                entry.getKey(),
                                                row.field(entry.getKey()),
                                                entry.getValue()))
                        .collect(Collectors.joining("; "));
        return differences.isEmpty() ? Optional.empty() : Optional.of(differences);
    }

    static String differs(String column, String value, String reference) {
        return "%s %s, the comparison has %s".formatted(column.replace('_', ' '), value, reference);
    }
}
