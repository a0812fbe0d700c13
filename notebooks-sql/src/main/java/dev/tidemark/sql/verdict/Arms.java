package dev.tidemark.sql.verdict;

import dev.tidemark.sql.LakeException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The sides of a comparison.
 *
 * @param baseline what candidates are compared with
 * @param nullArm the baseline under another label; empty where there is none
 * @param candidates in the order asked for
 */
record Arms(ArmSelector baseline, Optional<ArmSelector> nullArm, List<ArmSelector> candidates) {
    /** The arm that shows what stamps and pacing cost; never a candidate. */
    static final String FLOOR = "floor";

    /** Asks for the build before the candidate's. */
    static final String PREVIOUS = "previous";

    static Arms resolve(ComparisonRequest request, List<SessionRow> rows) throws LakeException {
        if (request.baseline().label().equals(PREVIOUS)) {
            return previous(request, rows);
        }
        ArmSelector baseline = known(request.baseline(), rows);
        Optional<ArmSelector> nullArm = nullArm(request, baseline, rows);
        List<ArmSelector> candidates = new ArrayList<>();
        for (ArmSelector candidate : request.candidates()) {
            candidates.add(known(candidate, rows));
        }
        if (candidates.isEmpty()) {
            candidates.addAll(others(baseline, nullArm, rows));
        }
        return checked(new Arms(baseline, nullArm, candidates), rows);
    }

    private static Arms previous(ComparisonRequest request, List<SessionRow> rows)
            throws LakeException {
        ArmSelector candidate =
                request.candidates().isEmpty()
                        ? new ArmSelector(ArmSelector.BUILD, Map.of())
                        : request.candidates().get(0);
        if (request.candidates().size() > 1) {
            throw new LakeException("--baseline previous takes one --candidate");
        }
        List<String> builds = buildsInOrder(candidate, rows);
        String build =
                candidate.names(ArmSelector.BUILD)
                        ? candidate.condition(ArmSelector.BUILD)
                        : builds.isEmpty() ? "" : builds.get(builds.size() - 1);
        int place = builds.indexOf(build);
        if (place < 1) {
            throw new LakeException(
                    "--baseline previous: no build before '%s'; the lake has %s"
                            .formatted(build, listed(builds)));
        }
        ArmSelector newer = candidate.with(ArmSelector.BUILD, build);
        ArmSelector older = candidate.with(ArmSelector.BUILD, builds.get(place - 1));
        if (!candidate.names(ArmSelector.ARM)) {
            Set<String> arms = armsOf(newer, rows);
            arms.retainAll(armsOf(older, rows));
            if (arms.size() != 1) {
                throw new LakeException(
                        "--baseline previous: say of which arm with --candidate arm=NAME; both builds have "
                                + listed(arms));
            }
            String arm = arms.iterator().next();
            newer = newer.with(ArmSelector.ARM, arm);
            older = older.with(ArmSelector.ARM, arm);
        }
        return checked(
                new Arms(known(older, rows), nullArm(request, older, rows), List.of(newer)), rows);
    }

    /** Builds by when they were first seen. */
    private static List<String> buildsInOrder(ArmSelector candidate, List<SessionRow> rows) {
        Map<String, String> conditions = new LinkedHashMap<>(candidate.conditions());
        conditions.remove(ArmSelector.BUILD);
        ArmSelector any = new ArmSelector(candidate.label(), conditions);
        Map<String, Long> first = new HashMap<>();
        for (SessionRow row : rows) {
            if (any.matches(row) && row.fields().containsKey(ArmSelector.BUILD)) {
                first.merge(row.field(ArmSelector.BUILD), row.startedMicros(), Math::min);
            }
        }
        return first.keySet().stream()
                .sorted(
                        Comparator.comparing((String build) -> first.getOrDefault(build, 0L))
                                .thenComparing(build -> build))
                .toList();
    }

    private static Set<String> armsOf(ArmSelector selector, List<SessionRow> rows) {
        return rows.stream()
                .filter(selector::matches)
                .map(row -> row.field(ArmSelector.ARM))
                .filter(arm -> !arm.equals(FLOOR))
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private static Optional<ArmSelector> nullArm(
            ComparisonRequest request, ArmSelector baseline, List<SessionRow> rows)
            throws LakeException {
        if (request.nullArm().isPresent()) {
            return Optional.of(
                    known(baseline.with(ArmSelector.ARM, request.nullArm().get()), rows));
        }
        String arm = baseline.condition(ArmSelector.ARM);
        for (SessionRow row : rows) {
            boolean isLabelled =
                    arm.isEmpty() ? row.nullOf() != null : Objects.equals(row.nullOf(), arm);
            boolean isNamed =
                    !arm.isEmpty()
                            && List.of(arm + "-null", "null-" + arm, "null")
                                    .contains(row.field(ArmSelector.ARM));
            if (isLabelled || isNamed) {
                ArmSelector found = baseline.with(ArmSelector.ARM, row.field(ArmSelector.ARM));
                if (found.matches(row)) {
                    return Optional.of(found);
                }
            }
        }
        return Optional.empty();
    }

    private static List<ArmSelector> others(
            ArmSelector baseline, Optional<ArmSelector> nullArm, List<SessionRow> rows) {
        return rows.stream()
                .filter(row -> row.nullOf() == null)
                .filter(row -> !baseline.matches(row))
                .filter(row -> nullArm.isEmpty() || !nullArm.get().matches(row))
                .map(row -> row.field(ArmSelector.ARM))
                .filter(arm -> !arm.equals(FLOOR))
                .distinct()
                .sorted()
                .map(arm -> baseline.with(ArmSelector.ARM, arm))
                .filter(candidate -> rows.stream().anyMatch(candidate::matches))
                .toList();
    }

    private static ArmSelector known(ArmSelector selector, List<SessionRow> rows)
            throws LakeException {
        if (rows.stream().noneMatch(selector::matches)) {
            Set<String> arms =
                    rows.stream()
                            .map(row -> row.field(ArmSelector.ARM))
                            .collect(Collectors.toCollection(java.util.TreeSet::new));
            throw new LakeException(
                    "no session of '%s' among the %d asked for; their arms are %s"
                            .formatted(selector.label(), rows.size(), listed(arms)));
        }
        return selector;
    }

    private static Arms checked(Arms arms, List<SessionRow> rows) throws LakeException {
        if (arms.candidates.isEmpty()) {
            throw new LakeException(
                    "no candidate: the sessions asked for have no arm besides '%s'"
                            .formatted(arms.baseline.label()));
        }
        for (ArmSelector candidate : arms.candidates) {
            if (candidate.condition(ArmSelector.ARM).equals(FLOOR)) {
                throw new LakeException(
                        "'floor' is no candidate: it shows what stamps and pacing cost");
            }
            for (SessionRow row : rows) {
                if (candidate.matches(row)
                        && (arms.baseline.matches(row)
                                || arms.nullArm.filter(arm -> arm.matches(row)).isPresent())) {
                    throw new LakeException(
                            "candidate '%s' and the baseline or its null arm are the same sessions, such as %s"
                                    .formatted(candidate.label(), row.id()));
                }
            }
        }
        return arms;
    }

    private static String listed(java.util.Collection<String> names) {
        return names.isEmpty() ? "none" : String.join(", ", names);
    }

    /** Which side a session is on: a label, or empty for none. */
    Optional<String> sideOf(SessionRow row) {
        if (baseline.matches(row)) {
            return Optional.of(baseline.label());
        }
        if (nullArm.isPresent() && nullArm.get().matches(row)) {
            return Optional.of(nullArm.get().label());
        }
        for (ArmSelector candidate : candidates) {
            if (candidate.matches(row)) {
                return Optional.of(candidate.label());
            }
        }
        return row.field(ArmSelector.ARM).equals(FLOOR) ? Optional.of(FLOOR) : Optional.empty();
    }

    /** Whether sides differ in this column, so that it can't be part of comparability. */
    boolean isFree(String column) {
        return baseline.names(column)
                || candidates.stream().anyMatch(candidate -> candidate.names(column));
    }
}
