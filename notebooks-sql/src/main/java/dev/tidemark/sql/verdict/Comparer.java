package dev.tidemark.sql.verdict;

import dev.tidemark.sql.LakeException;
import dev.tidemark.sql.SqlErrors;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.UUID;

/** Compares the arms of a lake's sessions. */
public final class Comparer {
    private static final String ALL = "all";
    private static final long SPLIT_SEED = 1;

    private final ComparisonRequest request;
    private final Selection selection;
    private final MetricValues values;
    private final List<String> phases;

    private Comparer(
            ComparisonRequest request,
            Selection selection,
            MetricValues values,
            List<String> phases) {
        this.request = request;
        this.selection = selection;
        this.values = values;
        this.phases = phases;
    }

    /**
     * Compares.
     *
     * @param connection to a lake; temporary tables are made in it
     * @throws LakeException when nothing can be compared: an unknown arm or phase, no null arm, too
     *     few rounds, a condition that is no SQL
     */
    public static Comparison compare(Connection connection, ComparisonRequest request)
            throws LakeException {
        Selection selection = Selection.of(request, SessionRows.read(connection, request.where()));
        List<String> phases = phases(connection, request, selection);
        MetricValues values =
                MetricValues.read(connection, selection.usedSessions(), request.metrics(), phases);
        return new Comparer(request, selection, values, phases).compare();
    }

    private static List<String> phases(
            Connection connection, ComparisonRequest request, Selection selection)
            throws LakeException {
        if (request.phases().isEmpty()) {
            return List.of();
        }
        Set<String> used = new LinkedHashSet<>(selection.usedSessions());
        Set<String> known = new LinkedHashSet<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows =
                        statement.executeQuery(
                                "SELECT session_id, phase FROM phases ORDER BY start_ns, phase")) {
            while (rows.next()) {
                if (used.contains(rows.getString(1))) {
                    known.add(rows.getString(2));
                }
            }
        } catch (SQLException e) {
            throw new LakeException("phases: " + SqlErrors.oneLine(e), e);
        }
        if (request.phases().equals(List.of(ALL))) {
            return List.copyOf(known);
        }
        for (String phase : request.phases()) {
            if (!known.contains(phase)) {
                throw new LakeException(
                        "no phase '%s' in these sessions; they have %s"
                                .formatted(
                                        phase,
                                        known.isEmpty() ? "none" : String.join(", ", known)));
            }
        }
        return request.phases();
    }

    private Comparison compare() {
        List<ComparisonRow> rows = new ArrayList<>();
        List<String> notMeasured = new ArrayList<>();
        List<String> scopes = new ArrayList<>(List.of(MetricValues.WHOLE));
        scopes.addAll(phases);
        for (Metric metric : request.metrics()) {
            int before = rows.size();
            for (String phase : scopes) {
                for (Stratum stratum : strataFor(metric, phase)) {
                    for (ArmSelector candidate : selection.arms().candidates()) {
                        row(metric, phase, stratum, candidate.label()).ifPresent(rows::add);
                    }
                }
            }
            if (rows.size() == before) {
                notMeasured.add(metric.name());
            }
        }
        return new Comparison(
                UUID.randomUUID().toString(),
                Instant.now(),
                request,
                baseline(),
                selection.arms().candidates().stream().map(ArmSelector::label).toList(),
                rounds(),
                selection.isFleet(),
                found(rows),
                notMeasured,
                selection.usedSessions().size(),
                selection.leftOut());
    }

    private String baseline() {
        return selection.arms().baseline().label();
    }

    private Map<String, Integer> rounds() {
        Map<String, Integer> rounds = new LinkedHashMap<>();
        if (!selection.isFleet()) {
            selection
                    .groups()
                    .forEach(
                            group ->
                                    rounds.merge(
                                            group.runId(), group.rounds(baseline()), Math::max));
        }
        return rounds;
    }

    /** For each clock the kind of round that shows the metric best, of those that have it. */
    private List<Stratum> strataFor(Metric metric, String phase) {
        Comparator<Stratum> plainFirst =
                Comparator.comparing(stratum -> !stratum.roundKind().equals(Stratum.PLAIN));
        Map<String, Stratum> best = new LinkedHashMap<>();
        selection.strata().stream()
                .filter(stratum -> stratum.has(metric))
                .sorted(metric.rounds().equals(Stratum.PLAIN) ? plainFirst : plainFirst.reversed())
                .filter(stratum -> isMeasured(metric, phase, stratum))
                .forEach(stratum -> best.putIfAbsent(stratum.clock(), stratum));
        return List.copyOf(best.values());
    }

    private boolean isMeasured(Metric metric, String phase, Stratum stratum) {
        return selection.groups().stream()
                .filter(group -> group.stratum().equals(stratum))
                .flatMap(group -> group.sides().entrySet().stream())
                .filter(side -> !side.getKey().equals(Arms.FLOOR))
                .flatMap(side -> side.getValue().stream())
                .anyMatch(row -> values.of(row.id(), metric, phase).isPresent());
    }

    private Optional<ComparisonRow> row(
            Metric metric, String phase, Stratum stratum, String candidate) {
        List<Group> groups =
                selection.groups().stream()
                        .filter(group -> group.stratum().equals(stratum))
                        .filter(group -> group.sides().containsKey(candidate))
                        .toList();
        if (groups.isEmpty()) {
            return Optional.empty();
        }
        List<ComparisonRow.RunRow> runs = new ArrayList<>();
        String reason = "";
        for (Group group : groups) {
            Optional<Judgement> judgement =
                    selection.isFleet()
                            ? judgeFleet(metric, phase, group, candidate)
                            : judgeRun(metric, phase, group, candidate);
            if (judgement.isPresent()) {
                runs.add(new ComparisonRow.RunRow(group.runId(), judgement.get()));
            } else {
                reason =
                        "measured in too few %s"
                                .formatted(selection.isFleet() ? "hosts" : "rounds of all arms");
            }
        }
        double[] floor = of(groups, Arms.FLOOR, metric, phase);
        return Optional.of(
                new ComparisonRow(
                        metric,
                        phase,
                        stratum.clock(),
                        stratum.roundKind().equals(SessionRow.NOTHING) ? "" : stratum.roundKind(),
                        baseline(),
                        candidate,
                        runs,
                        Optional.empty(),
                        range(of(groups, baseline(), metric, phase)),
                        range(of(groups, candidate, metric, phase)),
                        floor.length == 0
                                ? OptionalDouble.empty()
                                : OptionalDouble.of(Samples.median(floor)),
                        runs.isEmpty() ? reason : ""));
    }

    private Optional<Judgement> judgeRun(
            Metric metric, String phase, Group group, String candidate) {
        List<SessionRow> baselines = group.sides().getOrDefault(baseline(), List.of());
        List<SessionRow> nulls =
                group.sides()
                        .getOrDefault(selection.arms().nullArm().orElseThrow().label(), List.of());
        List<SessionRow> candidates = group.sides().getOrDefault(candidate, List.of());
        List<Round> rounds = new ArrayList<>();
        for (int i = 0; i < baselines.size(); i++) {
            OptionalDouble baseline = values.of(baselines.get(i).id(), metric, phase);
            OptionalDouble nullArm = values.of(nulls.get(i).id(), metric, phase);
            OptionalDouble judged = values.of(candidates.get(i).id(), metric, phase);
            if (baseline.isPresent() && nullArm.isPresent() && judged.isPresent()) {
                rounds.add(
                        new Round(
                                baseline.getAsDouble(),
                                nullArm.getAsDouble(),
                                judged.getAsDouble()));
            }
        }
        if (rounds.size() < PairedRounds.LEAST_ROUNDS) {
            return Optional.empty();
        }
        return Optional.of(
                request.method() == ComparisonRequest.Method.BOOTSTRAP
                        ? Bootstrap.judge(metric.scale(), rounds)
                        : Judgement.of(
                                metric.scale(),
                                PairedRounds.measure(metric.scale(), rounds),
                                request.minEffect()));
    }

    private Optional<Judgement> judgeFleet(
            Metric metric, String phase, Group group, String candidate) {
        double[][] baseline = byHost(group, baseline(), metric, phase);
        double[][] judged = byHost(group, candidate, metric, phase);
        if (Math.min(baseline.length, judged.length) < Fleet.LEAST_HOSTS) {
            return Optional.empty();
        }
        return Optional.of(
                Judgement.of(
                        metric.scale(),
                        Fleet.measure(metric.scale(), baseline, judged, SPLIT_SEED),
                        request.minEffect()));
    }

    private double[][] byHost(Group group, String side, Metric metric, String phase) {
        Map<String, List<Double>> hosts = new java.util.TreeMap<>();
        for (SessionRow row : group.sides().getOrDefault(side, List.of())) {
            values.of(row.id(), metric, phase)
                    .ifPresent(
                            value ->
                                    hosts.computeIfAbsent(
                                                    row.field("host"), any -> new ArrayList<>())
                                            .add(value));
        }
        return hosts.values().stream()
                .map(each -> each.stream().mapToDouble(Double::doubleValue).toArray())
                .toArray(double[][]::new);
    }

    private double[] of(List<Group> groups, String side, Metric metric, String phase) {
        return groups.stream()
                .flatMap(group -> group.sides().getOrDefault(side, List.of()).stream())
                .map(row -> values.of(row.id(), metric, phase))
                .filter(OptionalDouble::isPresent)
                .mapToDouble(OptionalDouble::getAsDouble)
                .toArray();
    }

    private static ComparisonRow.Range range(double[] values) {
        return values.length == 0
                ? new ComparisonRow.Range(0, Double.NaN, Double.NaN, Double.NaN)
                : new ComparisonRow.Range(
                        values.length,
                        Arrays.stream(values).min().orElseThrow(),
                        Samples.median(values),
                        Arrays.stream(values).max().orElseThrow());
    }

    /** Step 8, over every row that is printed and has something to say. */
    private List<ComparisonRow> found(List<ComparisonRow> rows) {
        List<ComparisonRow> judged = rows.stream().filter(row -> !row.runs().isEmpty()).toList();
        List<List<Judgement>> judgements =
                judged.stream()
                        .map(row -> row.runs().stream().map(run -> run.judgement()).toList())
                        .toList();
        List<Finding> findings =
                request.method() == ComparisonRequest.Method.BOOTSTRAP
                        ? judgements.stream().map(Bootstrap::together).toList()
                        : Findings.of(judgements);
        List<ComparisonRow> found = new ArrayList<>();
        int next = 0;
        for (ComparisonRow row : rows) {
            found.add(row.runs().isEmpty() ? row : row.with(findings.get(next++)));
        }
        return found;
    }
}
