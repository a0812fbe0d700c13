package dev.tidemark.sql.verdict;

import java.util.List;
import java.util.Map;

/**
 * What is compared in one run, or a fleet: sessions of one stratum, side by side.
 *
 * @param stratum how they were measured
 * @param runId of the run; empty for a fleet
 * @param sides sessions by side: a run's in the order of its rounds, one each; a fleet's by host
 */
record Group(Stratum stratum, String runId, Map<String, List<SessionRow>> sides) {
    int rounds(String side) {
        return sides.getOrDefault(side, List.of()).size();
    }
}
