package dev.tidemark.sql.verdict;

import java.util.Set;

/**
 * What a session is measured by: one number. The file that computes it says all of this in its
 * head.
 *
 * @param name in snake case, ending in its unit
 * @param unit as it is printed, such as ms or MiB
 * @param scale how values are compared
 * @param clocks sessions with one of these clocks have it: live, replay, op or none
 * @param detail events, or any
 * @param rounds which rounds of a replay show it: profiled ones alone, any, or plain ones where
 *     there are some (stamping each call distorts sums)
 * @param isHeadline whether it is always shown
 * @param noun what there is more or less of, within a sentence
 * @param meaning a sentence
 */
public record Metric(
        String name,
        String unit,
        Scale scale,
        Set<String> clocks,
        String detail,
        String rounds,
        boolean isHeadline,
        String noun,
        String meaning) {
    /** Copies the clocks. */
    public Metric {
        clocks = Set.copyOf(clocks);
    }
}
