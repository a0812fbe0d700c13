package dev.tidemark.sql.verdict;

import dev.tidemark.sql.GivenFiles;
import dev.tidemark.sql.Lake;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * A lake of benched sessions: two runs, r1 and r2, of five rounds, with glibc, its null arm,
 * mimalloc, which takes 0.6 times as long in the allocator and holds twice as much, and jemalloc,
 * which is like glibc. Sessions are called {@code <run>-<round>-<arm>} and can be changed before
 * they are written.
 */
final class BenchLake {
    static final List<String> ARMS = List.of("glibc", "glibc-null", "mimalloc", "jemalloc");

    private final List<Map<String, String>> sessions = new ArrayList<>();

    BenchLake() {
        for (String run : List.of("r1", "r2")) {
            for (int round = 0; round < 5; round++) {
                for (String arm : ARMS) {
                    add(run, round, arm);
                }
            }
        }
    }

    private static double factor(String arm) {
        return arm.equals("mimalloc") ? 0.6 : 1;
    }

    Map<String, String> add(String run, int round, String arm) {
        // A round shifts all its sessions; a session is off by 1% at most.
        double shift = 1 + 0.1 * Math.sin(1 + round + 10 * run.hashCode());
        double off = 1 + 0.01 * Math.sin(run.hashCode() + 7.0 * round + 3.0 * arm.hashCode());
        int runNumber = run.charAt(1) - '0';
        Map<String, String> session = new LinkedHashMap<>();
        session.put("session_id", run + "-" + round + "-" + arm);
        session.put("title", "endless-sky");
        session.put("role", "client");
        session.put("run_id", run);
        session.put("round", String.valueOf(round));
        session.put("arm", arm);
        session.put("labels", arm.equals("glibc-null") ? "{null_of=glibc}" : "");
        session.put("kind", "replay");
        session.put("clock", "replay");
        session.put("detail", "counters");
        session.put("size_basis", "requested");
        session.put("round_kind", "plain");
        session.put("touch", "all");
        session.put("pacing", "recorded");
        session.put("source_session_id", "recorded-1");
        session.put("cpu_model", "EPYC");
        session.put("kernel", "6.18");
        session.put("huge_pages", "madvise");
        session.put("started_at", "2026-03-0%d 10:%02d:00+00".formatted(runNumber, round));
        session.put("state", "closed");
        session.put("is_whole_load", "true");
        session.put("alloc_calls", "1000");
        session.put("allocator_ns", String.valueOf(Math.round(1e9 * shift * off * factor(arm))));
        session.put("peak_rss_bytes", arm.equals("mimalloc") ? "209715200" : "104857600");
        session.put("load_id", "l");
        session.put("revision", "0");
        session.put("day", "2026-03-01");
        session.put("load", "l");
        sessions.add(session);
        return session;
    }

    BenchLake change(Predicate<String> which, Consumer<Map<String, String>> change) {
        sessions.stream()
                .filter(session -> which.test(session.getOrDefault("session_id", "")))
                .forEach(change);
        return this;
    }

    BenchLake set(String sessionId, String column, String value) {
        return change(sessionId::equals, session -> session.put(column, value));
    }

    BenchLake remove(Predicate<String> which) {
        sessions.removeIf(session -> which.test(session.getOrDefault("session_id", "")));
        return this;
    }

    Lake write(Path folder) throws Exception {
        Set<String> columns = new LinkedHashSet<>();
        sessions.forEach(session -> columns.addAll(session.keySet()));
        StringBuilder csv = new StringBuilder(String.join(",", columns)).append('\n');
        for (Map<String, String> session : sessions) {
            csv.append(
                            String.join(
                                    ",",
                                    columns.stream()
                                            .map(column -> session.getOrDefault(column, ""))
                                            .toList()))
                    .append('\n');
        }
        Path given = Files.createDirectories(folder.resolve("given"));
        Files.writeString(given.resolve("given_sessions.csv"), csv);
        Lake lake = Lake.create(folder.resolve("lake"));
        GivenFiles.write(given, lake.folder());
        return lake;
    }
}
