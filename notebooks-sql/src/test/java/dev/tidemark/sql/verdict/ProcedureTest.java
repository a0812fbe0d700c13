package dev.tidemark.sql.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Numbers are worked out by hand, with t(0.975, 4) = 2.776445 and t(0.95, 4) = 2.131847. */
final class ProcedureTest {
    private static final Scale TIME = new Scale(false, true, 1e-6, 0.05);
    private static final Scale COUNT = new Scale(true, true, 1, 0.10);
    private static final Scale RATE = new Scale(false, false, 1e-3, 0.05);

    /**
     * Mean 0, squares 0.001: deviation sqrt(0.001 / 4) = 0.0158114, error of the mean 0.00707107.
     */
    private static final double[] SPREAD = {-0.02, -0.01, 0, 0.01, 0.02};

    /**
     * The baseline and its null arm are 100 in every round, the candidate off by these logarithms.
     */
    private static List<Round> offBy(double mean, double... spread) {
        return Arrays.stream(spread)
                .mapToObj(off -> new Round(100, 100, 100 * Math.exp(mean + off)))
                .toList();
    }

    private static Judgement judge(Scale scale, List<Round> run) {
        return Judgement.of(scale, PairedRounds.measure(scale, run), Judgement.USUAL_MIN_EFFECT);
    }

    @Test
    void studentHasTheValuesOfTheTables() {
        assertThat(Student.quantile(0.975, 4)).isCloseTo(2.776445, within(1e-6));
        assertThat(Student.quantile(0.95, 4)).isCloseTo(2.131847, within(1e-6));
        assertThat(Student.quantile(0.975, 1)).isCloseTo(12.706205, within(1e-6));
        assertThat(Student.quantile(0.975, 9)).isCloseTo(2.262157, within(1e-6));
        assertThat(Student.above(2.776445, 4)).isCloseTo(0.025, within(1e-7));
        assertThat(Student.above(0, 4)).isEqualTo(0.5);
    }

    @Test
    void printsTheRatioAndItsInterval() {
        Judgement judgement = judge(TIME, offBy(0.3, SPREAD));

        // 0.3 -+ 2.776445 * 0.00707107 = 0.3 -+ 0.0196324
        assertThat(judgement.measured().difference().ratio()).isCloseTo(1.349859, within(1e-6));
        assertThat(judgement.interval().lowRatio()).isCloseTo(1.323616, within(1e-6));
        assertThat(judgement.interval().highRatio()).isCloseTo(1.376622, within(1e-6));
        assertThat(judgement.measured().baselineMedian()).isEqualTo(100);
        assertThat(judgement.measured().candidateMedian()).isCloseTo(134.9859, within(1e-4));
        assertThat(judgement.measured().size()).isEqualTo(5);
        assertThat(judgement.verdict()).isEqualTo(Verdict.WORSE);
        assertThat(judgement.reason()).isEmpty();
        // ln 1.02 + 0.0196324 + t(0.8, 4) 0.940965 * 0.00707107 = 0.0460887
        assertThat(judgement.detectableRatio()).isCloseTo(1.047167, within(1e-5));
    }

    @Test
    void comparesWithTheMeanOfBaselineAndNullArm() {
        List<Round> run =
                List.of(new Round(1, Math.exp(0.2), Math.exp(0.3)), new Round(1, 1, Math.exp(0.4)));

        Measured measured = PairedRounds.measure(TIME, run);

        // d = 0.3 - 0.1 and 0.4; e = 0.2 and 0
        assertThat(measured.difference().mean()).isCloseTo(0.3, within(1e-12));
        assertThat(measured.nullDifference().mean()).isCloseTo(0.1, within(1e-12));
        // deviation of (0.2, 0.4): sqrt(0.02); over sqrt(2): 0.1
        assertThat(measured.difference().standardError()).isCloseTo(0.1, within(1e-12));
        assertThat(measured.difference().degrees()).isEqualTo(1);
    }

    @Test
    void takesWhatIsBetterFromTheMetric() {
        assertThat(judge(RATE, offBy(0.3, SPREAD)).verdict()).isEqualTo(Verdict.BETTER);
        assertThat(judge(RATE, offBy(-0.3, SPREAD)).verdict()).isEqualTo(Verdict.WORSE);
        assertThat(judge(TIME, offBy(-0.3, SPREAD)).verdict()).isEqualTo(Verdict.BETTER);
    }

    @Test
    void anIntervalMustClearTwoPercentOrWhatIsAskedFor() {
        // The low end is mean - 0.0196324; ln 1.02 = 0.0198026, ln 1.05 = 0.0487902.
        assertThat(judge(TIME, offBy(0.0395, SPREAD)).verdict()).isEqualTo(Verdict.WORSE);
        assertThat(judge(TIME, offBy(0.0393, SPREAD)).verdict()).isNotEqualTo(Verdict.WORSE);
        Measured measured = PairedRounds.measure(TIME, offBy(0.0684, SPREAD));
        assertThat(Judgement.of(TIME, measured, 0.05).verdict()).isNotEqualTo(Verdict.WORSE);
        measured = PairedRounds.measure(TIME, offBy(0.0685, SPREAD));
        assertThat(Judgement.of(TIME, measured, 0.05).verdict()).isEqualTo(Verdict.WORSE);
    }

    @Test
    void sameIsAnIntervalWithinTheMargin() {
        // The 90% half width is 2.131847 * 0.00707107 = 0.0150744; ln 1.05 less that is 0.0337158.
        assertThat(judge(TIME, offBy(0.0337, SPREAD)).verdict()).isEqualTo(Verdict.SAME);
        assertThat(judge(TIME, offBy(-0.0337, SPREAD)).verdict()).isEqualTo(Verdict.SAME);
        Judgement beyond = judge(TIME, offBy(0.0338, SPREAD));
        assertThat(beyond.verdict()).isEqualTo(Verdict.NO_VERDICT);
        // Six rounds: t(0.95, 5) 2.015048 * 0.0158114 / sqrt(6) = 0.013007: 0.0338 + 0.0130 < ln
        // 1.05
        assertThat(beyond.reason()).isEqualTo("not decided; about 1 more rounds would");
    }

    @Test
    void aNullArmThatMovedTakesTheVerdictAway() {
        List<Round> run = new ArrayList<>();
        for (double off : SPREAD) {
            run.add(new Round(100, 100 * Math.exp(0.05 + off / 10), 150));
        }

        Judgement judgement = judge(TIME, run);

        assertThat(judgement.verdict()).isEqualTo(Verdict.NO_VERDICT);
        assertThat(judgement.reason()).startsWith("the null arm moved by +5.1%");
    }

    @Test
    void aNullArmThatIsOffByLessThanOnePercentHasNotMoved() {
        List<Round> run = new ArrayList<>();
        for (double off : SPREAD) {
            run.add(new Round(100, 100 * Math.exp(0.0099 + off / 10), 150));
        }

        assertThat(judge(TIME, run).verdict()).isEqualTo(Verdict.WORSE);
    }

    @Test
    void aDifferenceUnderTwiceTheNullArmsIsNone() {
        // e = 0.03 -+ 0.02: its interval holds 0. d = ln c - 0.015.
        double[] e = {-0.03, 0.09, 0.03, 0.05, 0.01};
        List<Round> run = new ArrayList<>();
        for (double off : e) {
            run.add(new Round(100, 100 * Math.exp(off), 100 * Math.exp(0.059 + off / 2)));
        }

        Judgement judgement = judge(TIME, run);

        assertThat(judgement.measured().difference().mean()).isCloseTo(0.059, within(1e-12));
        assertThat(judgement.verdict()).isEqualTo(Verdict.NO_VERDICT);
        assertThat(judgement.reason())
                .isEqualTo("smaller than twice the null arm's own difference");
    }

    @Test
    void countsGetHalfAnEventMore() {
        List<Round> run = List.of(new Round(9.5, 9.5, 0), new Round(9.5, 9.5, 0));

        // ln 0.5 - ln 10
        assertThat(PairedRounds.measure(COUNT, run).difference().mean())
                .isCloseTo(-2.995732, within(1e-6));
    }

    @Test
    void rareEventsGetNoVerdict() {
        List<Round> run = Arrays.stream(SPREAD).mapToObj(any -> new Round(4, 4, 40)).toList();
        assertThat(judge(COUNT, run).verdict()).isEqualTo(Verdict.NO_VERDICT);
        assertThat(judge(COUNT, run).reason())
                .isEqualTo("the baseline's median is under 5: too small for a ratio");

        run = Arrays.stream(SPREAD).mapToObj(any -> new Round(5, 5, 40)).toList();
        assertThat(judge(COUNT, run).verdict()).isEqualTo(Verdict.WORSE);
    }

    @Test
    void rowsWithoutVarianceStayFinite() {
        List<Round> still =
                Arrays.stream(SPREAD).mapToObj(any -> new Round(100, 100, 100)).toList();
        Judgement judgement = judge(TIME, still);
        assertThat(judgement.verdict()).isEqualTo(Verdict.SAME);
        // The deviation is the grain over the median: 1e-6 / 100.
        assertThat(judgement.measured().difference().standardError())
                .isCloseTo(1e-8 / Math.sqrt(5), within(1e-20));

        List<Round> nothing = Arrays.stream(SPREAD).mapToObj(any -> new Round(0, 0, 0)).toList();
        List<Round> below = Arrays.stream(SPREAD).mapToObj(any -> new Round(-3, 0, 7)).toList();
        for (Judgement each : List.of(judgement, judge(TIME, nothing), judge(TIME, below))) {
            assertThat(
                            new double[] {
                                each.measured().difference().ratio(),
                                each.interval().lowRatio(),
                                each.interval().highRatio(),
                                each.nullInterval().lowRatio(),
                                each.nullInterval().highRatio(),
                                each.measured().difference().pEither(),
                                each.detectableRatio()
                            })
                    .satisfies(
                            values -> assertThat(Arrays.stream(values)).allMatch(Double::isFinite));
        }
        assertThat(judge(TIME, nothing).verdict()).isEqualTo(Verdict.NO_VERDICT);
    }

    @Test
    void holmCountsHowManyWereLookedAt() {
        // Smallest first: 0.01 * 4, 0.015 * 3 = 0.045, 0.03 * 2 = 0.06, 0.04 * 1 but not below 0.06
        assertThat(Findings.holm(new double[] {0.03, 0.01, 0.04, 0.015}))
                .containsExactly(new double[] {0.06, 0.04, 0.06, 0.045}, within(1e-12));
        assertThat(Findings.holm(new double[] {0.6, 0.7})).containsExactly(1, 1);
    }

    @Test
    void aFindingStandsInBothRunsAndSurvivesHolm() {
        Judgement clear = judge(TIME, offBy(0.3, SPREAD));
        Finding finding = Findings.of(List.of(List.of(clear, clear))).get(0);

        // t = 0.3 / 0.00707107 = 42.43 of 4 degrees: p about 9e-7 each, 2 p^2
        double p = clear.measured().difference().pHigher();
        assertThat(p).isBetween(8e-7, 1.1e-6);
        assertThat(finding.p()).isCloseTo(2 * p * p, within(1e-15));
        assertThat(finding.isFinding()).isTrue();
        assertThat(finding.verdict()).isEqualTo(Verdict.WORSE);
        // Two runs alike: error 0.00707107 / sqrt(2) = 0.005, 8 degrees.
        assertThat(finding.effect().mean()).isCloseTo(0.3, within(1e-12));
        assertThat(finding.effect().standardError()).isCloseTo(0.005, within(1e-9));
        assertThat(finding.effect().degrees()).isEqualTo(8);
    }

    @Test
    void aFindingIsNoneInOneRunOrAgainstTheOther() {
        Judgement worse = judge(TIME, offBy(0.3, SPREAD));
        Judgement better = judge(TIME, offBy(-0.3, SPREAD));

        Finding provisional = Findings.of(List.of(List.of(worse))).get(0);
        assertThat(provisional.isFinding()).isFalse();
        assertThat(provisional.verdict()).isEqualTo(Verdict.WORSE);

        Finding torn = Findings.of(List.of(List.of(worse, better))).get(0);
        assertThat(torn.isFinding()).isFalse();
        assertThat(torn.verdict()).isEqualTo(Verdict.NO_VERDICT);
        assertThat(torn.reason()).isEqualTo("worse in one run, better in the other");
        assertThat(torn.p()).isGreaterThan(0.5);
    }

    @Test
    void whatDoesNotSurviveHolmIsNoFinding() {
        // Squares 0.009: error of the mean sqrt(0.00225 / 5) = 0.0212132, t = 4.007. One-sided p
        // 0.0080, of
        // both runs 2 * 0.0080^2 = 0.00013: alone below 0.05, times 501 above.
        Judgement weak = judge(TIME, offBy(0.085, -0.06, -0.03, 0, 0.03, 0.06));
        Judgement nothing = judge(TIME, offBy(0, SPREAD));
        assertThat(weak.verdict()).isEqualTo(Verdict.WORSE);
        List<List<Judgement>> rows = new ArrayList<>();
        rows.add(List.of(weak, weak));
        assertThat(Findings.of(rows).get(0).isFinding()).isTrue();
        for (int i = 0; i < 500; i++) {
            rows.add(List.of(nothing, nothing));
        }

        Finding finding = Findings.of(rows).get(0);

        assertThat(finding.isFinding()).isFalse();
        assertThat(finding.verdict()).isEqualTo(Verdict.NO_VERDICT);
        assertThat(finding.reason())
                .startsWith("worse in both runs, yet p = ")
                .endsWith("among 501 rows");
    }

    @Test
    void aFleetIsComparedByHosts() {
        // Hosts' logarithms 0..4 and 1..5: means 2 and 3, variances 2.5, error sqrt(2.5/5 * 2) = 1,
        // 8 degrees
        Effect effect =
                Fleet.welch(new double[] {0, 1, 2, 3, 4}, new double[] {1, 2, 3, 4, 5}, 1e-6);
        assertThat(effect.mean()).isCloseTo(1, within(1e-12));
        assertThat(effect.standardError()).isCloseTo(1, within(1e-12));
        assertThat(effect.degrees()).isCloseTo(8, within(1e-12));
        // Variances 2.5 of 5 and 0.5 of 2: 0.5 + 0.25; degrees 0.5625 / (0.0625 + 0.0625)
        effect = Fleet.welch(new double[] {0, 1, 2, 3, 4}, new double[] {7, 8}, 1e-6);
        assertThat(effect.degrees()).isCloseTo(4.5, within(1e-12));
    }

    @Test
    void manySessionsOfAHostCountOnce() {
        double[][] baseline = {{10}, {10, 10, 10, 10}, {11}, {9}, {10}};
        double[][] candidate = {{20}, {20}, {22, 22, 22, 22, 22, 22}, {18}, {20}};

        Measured measured = Fleet.measure(TIME, baseline, candidate, 1);

        assertThat(measured.difference().ratio()).isCloseTo(2, within(1e-9));
        assertThat(measured.size()).isEqualTo(5);
        assertThat(Judgement.of(TIME, measured, 0.02).verdict()).isEqualTo(Verdict.WORSE);
    }

    @Test
    void theBootstrapTakesMeansOfRoundsDrawnAnew() {
        assertThat(Bootstrap.interval(new double[] {0.5, 0.5, 0.5, 0.5, 0.5}))
                .isEqualTo(new Interval(0.5, 0.5));
        Interval interval = Bootstrap.interval(SPREAD);
        // Normal with deviation sqrt(0.001 / 5 / 5) = 0.00632: about 1.96 of that to either side
        assertThat(interval.low()).isCloseTo(-0.0124, within(0.002));
        assertThat(interval.high()).isCloseTo(0.0124, within(0.002));
        assertThat(Bootstrap.judge(TIME, offBy(0.02, SPREAD)).verdict()).isEqualTo(Verdict.WORSE);
        assertThat(Bootstrap.judge(TIME, offBy(0.005, SPREAD)).verdict())
                .isEqualTo(Verdict.NO_VERDICT);
    }
}
