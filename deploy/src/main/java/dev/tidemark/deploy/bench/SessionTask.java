package dev.tidemark.deploy.bench;

/**
 * One session to be made.
 *
 * @param arm under which
 * @param kind of round
 * @param run from 0
 * @param round from 0; of a discarded session 0, too
 * @param attempt at the round, from 0
 * @param isDiscarded whether it only warms the machine up
 */
public record SessionTask(
        BenchArm arm, String kind, int run, int round, int attempt, boolean isDiscarded) {

    /** What the journal calls it; unique in a bench. */
    String key() {
        return isDiscarded
                ? "run %d, discarded, %s".formatted(run + 1, arm.name())
                : "run %d, %s round %d, attempt %d, %s"
                        .formatted(run + 1, kind, round + 1, attempt + 1, arm.name());
    }
}
