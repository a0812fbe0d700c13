package dev.tidemark.deploy.bench;

import dev.tidemark.deploy.Failure;
import dev.tidemark.deploy.arm.Arm;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * An arm in its place: the first is the baseline, the null arm is the baseline under another label.
 *
 * @param name the label, unique in the bench
 * @param arm what runs
 * @param isNull whether it is the null arm
 */
public record BenchArm(String name, Arm arm, boolean isNull) {
    private static final String NULL_SUFFIX = "-null";

    /** Arms with the null arm behind the baseline; an arm named twice is a {@link Failure}. */
    public static List<BenchArm> of(List<Arm> arms) {
        List<BenchArm> all = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (Arm arm : arms) {
            all.add(new BenchArm(arm.name(), arm, false));
            if (all.size() == 1) {
                all.add(new BenchArm(arm.name() + NULL_SUFFIX, arm, true));
            }
        }
        for (BenchArm one : all) {
            if (!names.add(one.name)) {
                throw Failure.badInput(
                        "arm '%s' comes twice; give one another label: NAME=LIB"
                                .formatted(one.name));
            }
        }
        return List.copyOf(all);
    }
}
