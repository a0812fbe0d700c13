package dev.tidemark.sql.verdict;

import dev.tidemark.sql.LakeException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Which sessions are compared, and why the others are not: none is left out in silence.
 *
 * @param arms the sides
 * @param groups by run (the older first) and stratum; of a fleet one per stratum
 * @param leftOut reasons by session
 * @param isFleet whether there are no rounds
 */
record Selection(Arms arms, List<Group> groups, Map<String, String> leftOut, boolean isFleet) {
    /** A finding is made of so many runs. */
    private static final int RUNS = 2;

    static Selection of(ComparisonRequest request, List<SessionRow> rows) throws LakeException {
        if (rows.isEmpty()) {
            throw new LakeException("no session to compare: none fits --where " + request.where());
        }
        return new Builder(Arms.resolve(request, rows), rows).build();
    }

    /** Runs, the older first. */
    List<String> runs() {
        return groups.stream().map(Group::runId).distinct().toList();
    }

    List<Stratum> strata() {
        return groups.stream().map(Group::stratum).distinct().toList();
    }

    List<String> usedSessions() {
        return groups.stream()
                .flatMap(group -> group.sides().values().stream())
                .flatMap(List::stream)
                .map(SessionRow::id)
                .distinct()
                .toList();
    }

    private static final class Builder {
        private final Arms arms;
        private final Map<String, List<SessionRow>> bySide = new LinkedHashMap<>();
        private final Map<String, String> leftOut = new LinkedHashMap<>();
        private final Map<String, Long> runStarts = new LinkedHashMap<>();

        Builder(Arms arms, List<SessionRow> rows) {
            this.arms = arms;
            for (SessionRow row : rows) {
                arms.sideOf(row)
                        .ifPresent(
                                side ->
                                        bySide.computeIfAbsent(side, any -> new ArrayList<>())
                                                .add(row));
            }
        }

        Selection build() throws LakeException {
            boolean isFleet = side(arms.baseline()).stream().noneMatch(SessionRow::isOfARound);
            if (!isFleet) {
                leaveOut(row -> !row.isOfARound(), row -> "outside of a run's rounds");
            }
            List<SessionRow> usable =
                    side(arms.baseline()).stream()
                            .filter(row -> row.unusableReason() == null)
                            .toList();
            Comparability comparability = Comparability.of(newestRun(usable), arms);
            for (List<SessionRow> rows : bySide.values()) {
                rows.removeIf(
                        row -> {
                            Optional<String> reason = comparability.reason(row);
                            reason.ifPresent(text -> leftOut.put(row.id(), text));
                            return reason.isPresent();
                        });
            }
            List<Group> groups = isFleet ? fleet() : runs();
            if (groups.isEmpty()) {
                throw nothing(isFleet);
            }
            return new Selection(arms, groups, leftOut, isFleet);
        }

        private List<SessionRow> side(ArmSelector arm) {
            return bySide.getOrDefault(arm.label(), List.of());
        }

        private List<SessionRow> newestRun(List<SessionRow> baseline) throws LakeException {
            if (baseline.isEmpty()) {
                SessionRow newest =
                        bySide.get(arms.baseline().label()) == null
                                ? null
                                : side(arms.baseline()).stream().findFirst().orElse(null);
                throw new LakeException(
                        "no session of '%s' can be compared%s"
                                .formatted(
                                        arms.baseline().label(),
                                        newest == null ? "" : ": " + newest.unusableReason()));
            }
            String run = baseline.get(0).runId();
            return baseline.stream()
                    .filter(row -> java.util.Objects.equals(row.runId(), run))
                    .toList();
        }

        private void leaveOut(
                java.util.function.Predicate<SessionRow> which,
                Function<SessionRow, String> reason) {
            for (List<SessionRow> rows : bySide.values()) {
                rows.removeIf(
                        row -> {
                            if (!which.test(row)) {
                                return false;
                            }
                            String unusable = row.unusableReason();
                            leftOut.put(row.id(), unusable != null ? unusable : reason.apply(row));
                            return true;
                        });
            }
        }

        // ---- runs of rounds

        private List<Group> runs() throws LakeException {
            if (arms.nullArm().isEmpty()) {
                throw new LakeException(
                        "no null arm: no session is labelled null_of=%s; run the baseline under a second name (bench --null-arm), or name it with --null"
                                .formatted(arms.baseline().condition(ArmSelector.ARM)));
            }
            for (SessionRow row : side(arms.baseline())) {
                runStarts.merge(String.valueOf(row.runId()), row.startedMicros(), Math::min);
            }
            List<Stratum> strata = strata();
            Map<Stratum, List<Group>> complete = new LinkedHashMap<>();
            for (Stratum stratum : strata) {
                List<Group> groups = new ArrayList<>();
                for (String run : runStarts.keySet()) {
                    RunRounds rounds = new RunRounds(arms, stratum, run, bySide, leftOut);
                    rounds.group().ifPresent(groups::add);
                }
                if (!groups.isEmpty()) {
                    complete.put(stratum, groups);
                }
            }
            List<Group> groups = newestRuns(bestTouch(complete));
            explainTheRest(groups);
            return groups;
        }

        private List<Stratum> strata() {
            return side(arms.baseline()).stream().map(Stratum::of).distinct().toList();
        }

        /** Of strata that differ in touch, detail or pacing alone, one for each clock and kind. */
        private static List<Group> bestTouch(Map<Stratum, List<Group>> complete) {
            Map<String, Stratum> best = new LinkedHashMap<>();
            complete.keySet().stream()
                    .sorted(
                            Comparator.comparingInt(Stratum::touchRank)
                                    .thenComparing(
                                            stratum ->
                                                    -complete.getOrDefault(stratum, List.of())
                                                            .size()))
                    .forEach(
                            stratum ->
                                    best.putIfAbsent(
                                            stratum.clock() + " " + stratum.roundKind(), stratum));
            return best.values().stream()
                    .flatMap(stratum -> complete.getOrDefault(stratum, List.of()).stream())
                    .toList();
        }

        private List<Group> newestRuns(List<Group> groups) {
            List<String> newest =
                    groups.stream()
                            .map(Group::runId)
                            .distinct()
                            .sorted(
                                    Comparator.comparing(
                                                    (String run) -> runStarts.getOrDefault(run, 0L))
                                            .reversed())
                            .limit(RUNS)
                            .toList();
            return groups.stream()
                    .filter(group -> newest.contains(group.runId()))
                    .sorted(Comparator.comparing((Group group) -> -newest.indexOf(group.runId())))
                    .toList();
        }

        private void explainTheRest(List<Group> groups) {
            Map<String, Boolean> used = new TreeMap<>();
            groups.forEach(
                    group ->
                            group.sides()
                                    .values()
                                    .forEach(
                                            rows -> rows.forEach(row -> used.put(row.id(), true))));
            if (groups.isEmpty()) {
                return;
            }
            Stratum main =
                    groups.stream()
                            .collect(
                                    Collectors.groupingBy(
                                            Group::stratum,
                                            LinkedHashMap::new,
                                            Collectors.counting()))
                            .entrySet()
                            .stream()
                            .max(Map.Entry.comparingByValue())
                            .orElseThrow()
                            .getKey();
            List<Stratum> strata = groups.stream().map(Group::stratum).distinct().toList();
            List<String> runs = groups.stream().map(Group::runId).distinct().toList();
            for (List<SessionRow> rows : bySide.values()) {
                for (SessionRow row : rows) {
                    if (used.containsKey(row.id())) {
                        leftOut.remove(row.id());
                    } else if (!strata.contains(Stratum.of(row))) {
                        leftOut.put(row.id(), Stratum.of(row).difference(main));
                    } else if (!runs.contains(String.valueOf(row.runId()))
                            && !leftOut.containsKey(row.id())) {
                        leftOut.put(
                                row.id(),
                                runs.size() < RUNS
                                        ? "run %s has no complete rounds".formatted(row.runId())
                                        : "an older run than the newest two");
                    } else {
                        leftOut.putIfAbsent(
                                row.id(), "round %d is not complete".formatted(row.round()));
                    }
                }
            }
        }

        // ---- a fleet

        private List<Group> fleet() {
            List<Group> groups = new ArrayList<>();
            for (Stratum stratum : strata()) {
                Map<String, List<SessionRow>> sides = new LinkedHashMap<>();
                bySide.forEach(
                        (side, rows) -> {
                            List<SessionRow> of =
                                    rows.stream()
                                            .filter(row -> Stratum.of(row).equals(stratum))
                                            .filter(row -> row.fields().containsKey("host"))
                                            .toList();
                            if (of.stream().map(row -> row.field("host")).distinct().count()
                                    >= Fleet.LEAST_HOSTS) {
                                sides.put(side, of);
                            }
                        });
                if (sides.containsKey(arms.baseline().label())
                        && arms.candidates().stream()
                                .anyMatch(arm -> sides.containsKey(arm.label()))) {
                    groups.add(new Group(stratum, "", sides));
                }
            }
            List<String> used =
                    groups.stream()
                            .flatMap(group -> group.sides().values().stream())
                            .flatMap(List::stream)
                            .map(SessionRow::id)
                            .toList();
            bySide.values()
                    .forEach(
                            rows ->
                                    rows.stream()
                                            .filter(row -> !used.contains(row.id()))
                                            .forEach(
                                                    row ->
                                                            leftOut.put(
                                                                    row.id(),
                                                                    row.fields().containsKey("host")
                                                                            ? "its arm has under 5 hosts measured like it"
                                                                            : "its host is not known")));
            return groups;
        }

        private LakeException nothing(boolean isFleet) {
            String most =
                    leftOut.values().stream()
                            .collect(Collectors.groupingBy(reason -> reason, Collectors.counting()))
                            .entrySet()
                            .stream()
                            .max(
                                    Map.Entry.<String, Long>comparingByValue()
                                            .thenComparing(Map.Entry.comparingByKey()))
                            .map(entry -> "; left out most often: " + entry.getKey())
                            .orElse("");
            return new LakeException(
                    isFleet
                            ? "no rounds, and not 5 hosts of '%s' and of a candidate%s"
                                    .formatted(arms.baseline().label(), most)
                            : "no run has %d rounds that are complete with '%s', its null arm and a candidate%s"
                                    .formatted(
                                            PairedRounds.LEAST_ROUNDS,
                                            arms.baseline().label(),
                                            most));
        }
    }
}
