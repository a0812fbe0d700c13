package dev.tidemark.sql.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Holds the procedure to its error rates on simulated sessions: two runs of five rounds, a
 * baseline, its null arm, six candidates, twenty metrics. Prints what it measured.
 */
final class CalibrationTest {
    private static final int ROUNDS = 5;
    private static final int CANDIDATES = 6;
    private static final int ARMS = 2 + CANDIDATES;
    private static final long SEED = 20260301;

    private static final int NULL_REPEATS = 1000;
    private static final int POWER_REPEATS = 500;

    @ParameterizedTest
    @EnumSource(Simulation.Noise.class)
    void findsNothingWhereNothingDiffers(Simulation.Noise noise) {
        Simulation simulation = new Simulation(SEED, noise);
        int families = 0;
        Rate perRow = new Rate();
        Rate bootstrap = new Rate();
        Rate covered = new Rate();
        for (int repeat = 0; repeat < NULL_REPEATS; repeat++) {
            List<double[][][]> runs = runs(simulation, 1);
            if (findings(runs).stream().anyMatch(Finding::isFinding)) {
                families++;
            }
            for (int metric = 0; metric < Simulation.VARYING; metric++) {
                List<Round> values = values(runs.get(0), metric, ARMS - 1);
                Scale scale = Simulation.scale(metric);
                perRow.add(isClaim(judge(scale, values)));
                if (metric <= Simulation.WORST) {
                    covered.add(covers(judge(scale, values).interval(), 1));
                    bootstrap.add(isClaim(Bootstrap.judge(scale, values)));
                }
            }
        }
        double familyError = families / (double) NULL_REPEATS;
        print(noise, "family-wise error of findings", familyError);
        print(noise, "better or worse, per row and run", perRow.value());
        print(noise, "coverage of 95% intervals", covered.value());
        print(noise, "bootstrap: better or worse, per row and run", bootstrap.value());
        assertThat(familyError).isLessThanOrEqualTo(0.05);
        assertThat(perRow.value()).isLessThanOrEqualTo(0.03);
        assertThat(covered.value()).isBetween(0.93, 0.97);
        if (noise == Simulation.Noise.GAUSSIAN) {
            assertThat(bootstrap.value())
                    .isBetween(
                            Bootstrap.FALSE_POSITIVE_RATE - 0.015,
                            Bootstrap.FALSE_POSITIVE_RATE + 0.015);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "GAUSSIAN, 0.7, 0.85",
        "GAUSSIAN, 0.8, 0.65",
        "STEAL, 0.7, 0.65",
        "STEAL, 0.8, 0.25"
    })
    void findsWhatDiffers(Simulation.Noise noise, double ratio, double power) {
        Simulation simulation = new Simulation(SEED + 1, noise);
        Rate found = new Rate();
        Rate covered = new Rate();
        int row = Simulation.TOTAL * CANDIDATES + CANDIDATES - 1;
        for (int repeat = 0; repeat < POWER_REPEATS; repeat++) {
            List<double[][][]> runs = runs(simulation, ratio);
            Finding finding = findings(runs).get(row);
            found.add(finding.isFinding() && finding.verdict() == Verdict.BETTER);
            for (double[][][] run : runs) {
                List<Round> values = values(run, Simulation.TOTAL, ARMS - 1);
                covered.add(
                        covers(
                                judge(Simulation.scale(Simulation.TOTAL), values).interval(),
                                ratio));
            }
        }
        String difference = String.format(Locale.ROOT, " at %.0f%%", 100 * (ratio - 1));
        print(noise, "findings" + difference, found.value());
        print(noise, "coverage" + difference, covered.value());
        assertThat(found.value()).isGreaterThanOrEqualTo(power);
        assertThat(covered.value()).isBetween(0.93, 0.97);
    }

    private static List<double[][][]> runs(Simulation simulation, double ratio) {
        return List.of(simulation.run(ARMS, ROUNDS, ratio), simulation.run(ARMS, ROUNDS, ratio));
    }

    private static List<Finding> findings(List<double[][][]> runs) {
        List<List<Judgement>> rows = new ArrayList<>();
        for (int metric = 0; metric < Simulation.METRICS; metric++) {
            for (int arm = 2; arm < ARMS; arm++) {
                List<Judgement> row = new ArrayList<>();
                for (double[][][] run : runs) {
                    row.add(judge(Simulation.scale(metric), values(run, metric, arm)));
                }
                rows.add(row);
            }
        }
        return Findings.of(rows);
    }

    private static Judgement judge(Scale scale, List<Round> values) {
        return Judgement.of(scale, PairedRounds.measure(scale, values), Judgement.USUAL_MIN_EFFECT);
    }

    private static List<Round> values(double[][][] run, int metric, int arm) {
        double[][] arms = run[metric];
        return IntStream.range(0, ROUNDS)
                .mapToObj(i -> new Round(arms[0][i], arms[1][i], arms[arm][i]))
                .toList();
    }

    private static boolean isClaim(Judgement judgement) {
        return judgement.verdict() == Verdict.BETTER || judgement.verdict() == Verdict.WORSE;
    }

    private static boolean covers(Interval interval, double ratio) {
        return interval.lowRatio() <= ratio && ratio <= interval.highRatio();
    }

    private static void print(Simulation.Noise noise, String what, double rate) {
        System.out.printf(
                Locale.ROOT,
                "calibration, %s: %s %.1f%%%n",
                noise.name().toLowerCase(Locale.ROOT),
                what,
                100 * rate);
    }

    private static final class Rate {
        private int hits;
        private int of;

        void add(boolean isHit) {
            hits += isHit ? 1 : 0;
            of++;
        }

        double value() {
            return hits / (double) of;
        }
    }
}
