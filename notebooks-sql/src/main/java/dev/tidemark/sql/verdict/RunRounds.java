package dev.tidemark.sql.verdict;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Finds the rounds of one run and stratum that are complete for all arms. A candidate that would
 * leave fewer than five is left out itself, with the reason, rather than the others.
 */
final class RunRounds {
    private final Arms arms;
    private final Stratum stratum;
    private final String run;
    private final Map<String, String> leftOut;

    /** Sessions by side and round. */
    private final Map<String, Map<Integer, SessionRow>> sides = new LinkedHashMap<>();

    RunRounds(
            Arms arms,
            Stratum stratum,
            String run,
            Map<String, List<SessionRow>> bySide,
            Map<String, String> leftOut) {
        this.arms = arms;
        this.stratum = stratum;
        this.run = run;
        this.leftOut = leftOut;
        bySide.forEach(
                (side, rows) -> {
                    for (SessionRow row : rows) {
                        if (run.equals(row.runId()) && Stratum.of(row).equals(stratum)) {
                            add(side, row);
                        }
                    }
                });
    }

    /** Rows come newest first: a round made again counts as it was made last. */
    private void add(String side, SessionRow row) {
        Integer round = Objects.requireNonNull(row.round());
        SessionRow newer =
                sides.computeIfAbsent(side, any -> new TreeMap<>()).putIfAbsent(round, row);
        if (newer != null) {
            leftOut.put(row.id(), "round %d was made again".formatted(round));
        }
    }

    /** The group, if five rounds are complete. */
    Optional<Group> group() {
        String baseline = arms.baseline().label();
        String nullArm = arms.nullArm().orElseThrow().label();
        Set<Integer> rounds = new TreeSet<>(of(baseline).keySet());
        rounds.retainAll(of(nullArm).keySet());
        List<String> candidates = new ArrayList<>();
        arms.candidates().stream()
                .map(ArmSelector::label)
                .sorted(Comparator.comparing(side -> -shared(rounds, side).size()))
                .forEach(
                        side -> {
                            Set<Integer> shared = shared(rounds, side);
                            if (shared.size() >= PairedRounds.LEAST_ROUNDS) {
                                candidates.add(side);
                                rounds.retainAll(shared);
                            } else {
                                leaveOut(side, shared.size());
                            }
                        });
        if (candidates.isEmpty()) {
            return Optional.empty();
        }
        Map<String, List<SessionRow>> chosen = new LinkedHashMap<>();
        chosen.put(baseline, chosen(baseline, rounds));
        chosen.put(nullArm, chosen(nullArm, rounds));
        candidates.forEach(side -> chosen.put(side, chosen(side, rounds)));
        if (sides.containsKey(Arms.FLOOR)) {
            chosen.put(Arms.FLOOR, List.copyOf(of(Arms.FLOOR).values()));
        }
        return Optional.of(new Group(stratum, run, chosen));
    }

    private Map<Integer, SessionRow> of(String side) {
        return sides.getOrDefault(side, Map.of());
    }

    private Set<Integer> shared(Set<Integer> rounds, String side) {
        Set<Integer> shared = new TreeSet<>(rounds);
        shared.retainAll(of(side).keySet());
        return shared;
    }

    private List<SessionRow> chosen(String side, Set<Integer> rounds) {
        return rounds.stream().map(round -> Objects.requireNonNull(of(side).get(round))).toList();
    }

    private void leaveOut(String side, int shared) {
        of(side).values()
                .forEach(
                        row ->
                                leftOut.putIfAbsent(
                                        row.id(),
                                        "run %s: %s has %d of the %d rounds that it takes"
                                                .formatted(
                                                        run,
                                                        side,
                                                        shared,
                                                        PairedRounds.LEAST_ROUNDS)));
    }
}
