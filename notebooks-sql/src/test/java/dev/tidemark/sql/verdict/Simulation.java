package dev.tidemark.sql.verdict;

import java.util.Arrays;
import java.util.Random;

/**
 * Simulated runs. A session's frames cost 1 ms with a deviation of a third, each leaning on the one
 * before (0.6). A session is off by 7.5% besides, which with its frames makes about 8% in its
 * total; a round shifts all of its sessions by 10%. Under {@link Noise#STEAL} another guest takes
 * time from a fifth of all sessions, in a burst of 20 frames: 3% of the session or more, Pareto
 * with exponent 1.5, so that its variance is infinite.
 */
final class Simulation {
    enum Noise {
        GAUSSIAN,
        STEAL
    }

    /** What is measured of each session, all of it correlated but for the memory. */
    static final int METRICS = 20;

    /** The first so many vary; of the others one is constant, one 0 and one a small count. */
    static final int VARYING = 17;

    static final int TOTAL = 0;
    static final int P99 = 1;
    static final int WORST = 2;

    private static final int FRAMES = 600;
    private static final int BURST = 20;
    private static final double MARGIN = 0.05;
    private static final double TAIL_MARGIN = 0.10;

    private static final Scale MILLISECONDS = new Scale(false, true, 1e-5, MARGIN);
    private static final Scale TAIL = new Scale(false, true, 1e-5, TAIL_MARGIN);
    private static final Scale COUNT = new Scale(true, true, 1, TAIL_MARGIN);
    private static final Scale RATE = new Scale(false, false, 1e-3, MARGIN);
    private static final Scale MEBIBYTES = new Scale(false, true, 0.25, MARGIN);

    private final Random random;
    private final Noise noise;
    private final double[] frames = new double[FRAMES];
    private final double[] sorted = new double[FRAMES];

    Simulation(long seed, Noise noise) {
        random = new Random(seed);
        this.noise = noise;
    }

    static Scale scale(int metric) {
        if (metric == TOTAL || metric == 3 || metric == 4) {
            return MILLISECONDS;
        } else if (metric == P99 || metric == WORST || metric <= 9) {
            return TAIL;
        } else if (metric <= 12) {
            return COUNT;
        }
        return metric == 13 ? RATE : MEBIBYTES;
    }

    /**
     * A run: values by metric, arm and round. Arm 0 is the baseline, 1 the null arm; the last one
     * costs {@code ratio} times as much, the others the same.
     */
    double[][][] run(int arms, int rounds, double ratio) {
        double[][][] values = new double[METRICS][arms][rounds];
        for (int round = 0; round < rounds; round++) {
            double shift = 0.10 * random.nextGaussian();
            for (int arm = 0; arm < arms; arm++) {
                double[] session = session(shift, arm == arms - 1 ? ratio : 1);
                for (int metric = 0; metric < METRICS; metric++) {
                    values[metric][arm][round] = session[metric];
                }
            }
        }
        return values;
    }

    private double[] session(double shift, double ratio) {
        double level = ratio * Math.exp(shift + 0.075 * random.nextGaussian());
        double lean = 0.6;
        double state = random.nextGaussian();
        for (int i = 0; i < FRAMES; i++) {
            frames[i] = level * Math.exp(0.33 * state);
            state = lean * state + Math.sqrt(1 - lean * lean) * random.nextGaussian();
        }
        if (noise == Noise.STEAL && random.nextDouble() < 0.2) {
            double stolen = 0.03 * Math.pow(1 - random.nextDouble(), -1 / 1.5);
            int start = random.nextInt(FRAMES - BURST);
            for (int i = start; i < start + BURST; i++) {
                frames[i] += stolen * FRAMES / BURST;
            }
        }
        return measure();
    }

    private double[] measure() {
        System.arraycopy(frames, 0, sorted, 0, FRAMES);
        Arrays.sort(sorted);
        double total = Arrays.stream(sorted).sum();
        double worst = Arrays.stream(sorted, FRAMES - 6, FRAMES).average().orElseThrow();
        double resident = 1000 * Math.exp(0.01 * random.nextGaussian());
        double retained = 60 * Math.exp(0.08 * random.nextGaussian());
        return new double[] {
            total,
            quantile(0.99),
            worst,
            total * (1 + 0.2 * Math.exp(0.05 * random.nextGaussian())),
            quantile(0.5),
            quantile(0.75),
            quantile(0.9),
            quantile(0.95),
            quantile(0.98),
            sorted[FRAMES - 1],
            over(1.5),
            over(2),
            over(2) / 3,
            1000 * FRAMES / total,
            resident,
            retained,
            retained * Math.exp(0.02 * random.nextGaussian()),
            500,
            0,
            Math.round(8 + random.nextGaussian()),
        };
    }

    private double quantile(double q) {
        return sorted[(int) Math.ceil(q * FRAMES) - 1];
    }

    private double over(double limit) {
        return Arrays.stream(sorted).filter(value -> value > limit).count();
    }
}
