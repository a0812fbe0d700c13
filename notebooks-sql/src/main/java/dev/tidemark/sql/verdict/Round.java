package dev.tidemark.sql.verdict;

/**
 * One metric's values in a complete round.
 *
 * @param baseline of the baseline's session
 * @param nullArm of the baseline under another label
 * @param candidate of the arm that is judged
 */
record Round(double baseline, double nullArm, double candidate) {}
