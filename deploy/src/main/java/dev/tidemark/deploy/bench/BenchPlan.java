package dev.tidemark.deploy.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;

/**
 * What a bench is to do.
 *
 * @param id of the bench; its runs are {@code ID-1}, {@code ID-2}
 * @param arms the baseline first, its null arm among them
 * @param kinds of round: plain and profiled ones of a replay, or live
 * @param reps rounds of each kind in a run
 * @param runs batches, each on its own
 * @param seed of the shuffles
 * @param isLateSessionAlone whether a late session is void by itself instead of its whole round
 */
public record BenchPlan(
        String id,
        List<BenchArm> arms,
        List<String> kinds,
        int reps,
        int runs,
        long seed,
        boolean isLateSessionAlone) {
    /** A void round is made again so many times at most. */
    public static final int REPEATS = 2;

    /** An arm that voids so many rounds cannot keep pace. */
    static final int MOST_VOIDS = 2;

    /** The label of a run, from 0. */
    String runId(int run) {
        return id + "-" + (run + 1);
    }

    BenchArm baseline() {
        return arms.get(0);
    }

    /** Sessions in all when nothing is void: one discarded in each run, and the rounds. */
    public int sessions() {
        return runs * (1 + reps * kinds.size() * arms.size());
    }

    /** These arms in the order of a round. */
    List<BenchArm> shuffled(List<BenchArm> some, int run, String kind, int round, int attempt) {
        List<BenchArm> order = new ArrayList<>(some);
        Collections.shuffle(order, new Random(Objects.hash(seed, run, kind, round, attempt)));
        return order;
    }
}
