package dev.tidemark.replay;

import dev.tidemark.schemas.EventColumns;
import dev.tidemark.schemas.Operation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the tables must say of a session without holes, worked out the slow way: every effect of
 * every event is written down as a fact, and each figure is a sum over all facts.
 */
final class ReplayOracle {
    /**
     * An effect. {@code madeFrame} and {@code madeTick} are -1 unless a known block was released.
     */
    private record Fact(
            long frame,
            long tick,
            @Nullable String phase,
            int thread,
            String what,
            long number,
            long rounded,
            long madeFrame,
            long madeTick) {}

    private record Made(long size, long rounded, long frame, long tick, int thread) {}

    private record Stretch(String phase, long fromNs) {}

    private final List<Fact> facts = new ArrayList<>();
    private final Map<Long, Made> made = new HashMap<>();
    private final List<Long> frameMarksNs = new ArrayList<>();
    private final List<Long> tickMarksNs = new ArrayList<>();
    private final List<Long> frameMarkers = new ArrayList<>();
    private final List<Long> tickMarkers = new ArrayList<>();
    private final Map<Long, Long> liveAtFrameEnd = new TreeMap<>();
    private final Map<Long, Long> liveAtTickEnd = new TreeMap<>();
    private final Map<Long, Long> blocksAtFrameEnd = new TreeMap<>();
    private final Map<Long, Long> blocksAtTickEnd = new TreeMap<>();
    private final List<Stretch> stretches = new ArrayList<>();
    private long blocks;
    private long liveBytes;
    private long endNs;

    ReplayOracle(List<TestEvent> events, long endNs) {
        this.endNs = endNs;
        fact("live", 0, -1);
        for (TestEvent event : events) {
            see(event);
        }
        liveAtFrameEnd.put((long) frameMarksNs.size(), liveBytes);
        liveAtTickEnd.put((long) tickMarksNs.size(), liveBytes);
        blocksAtFrameEnd.put((long) frameMarksNs.size(), (long) made.size());
        blocksAtTickEnd.put((long) tickMarksNs.size(), (long) made.size());
    }

    private @Nullable String phase() {
        return stretches.isEmpty() ? null : stretches.get(stretches.size() - 1).phase;
    }

    private void fact(String what, long number, int thread) {
        facts.add(
                new Fact(
                        frameMarksNs.size(),
                        tickMarksNs.size(),
                        phase(),
                        thread,
                        what,
                        number,
                        0,
                        -1,
                        -1));
    }

    private void see(TestEvent e) {
        switch (e.operation()) {
            case Operation.FRAME -> {
                liveAtFrameEnd.put((long) frameMarksNs.size(), liveBytes);
                blocksAtFrameEnd.put((long) frameMarksNs.size(), (long) made.size());
                frameMarksNs.add(e.atNs());
                frameMarkers.add((long) e.thread());
                fact("frame begins", 1, -1);
                fact("live", liveBytes, -1);
            }
            case Operation.TICK -> {
                liveAtTickEnd.put((long) tickMarksNs.size(), liveBytes);
                blocksAtTickEnd.put((long) tickMarksNs.size(), (long) made.size());
                tickMarksNs.add(e.atNs());
                tickMarkers.add((long) e.thread());
                fact("tick begins", 1, -1);
                fact("live", liveBytes, -1);
            }
            case Operation.PHASE -> {
                stretches.add(new Stretch(String.valueOf(e.name()), e.atNs()));
                fact("live", liveBytes, -1);
            }
            case Operation.VALUE, Operation.TRIM -> {}
            default -> call(e);
        }
    }

    private void call(TestEvent e) {
        boolean isRelease = e.operation() >= Operation.FREE;
        boolean isGivenBlock = e.released() != EventColumns.NO_BLOCK;
        if (isRelease || (isGivenBlock && !e.makesBlock() && e.size() == 0)) {
            fact("free", 1, e.thread());
            release(e);
        } else if (!e.makesBlock()) {
            fact("failed", 1, e.thread());
        } else {
            fact(isGivenBlock ? "realloc" : "alloc", 1, e.thread());
            if (isGivenBlock) {
                release(e);
            }
            fact("alloc bytes", e.size(), e.thread());
            long step = Math.max(16, e.alignment());
            made.put(
                    blocks++,
                    new Made(
                            e.size(),
                            (e.size() + step - 1) / step * step,
                            frameMarksNs.size(),
                            tickMarksNs.size(),
                            e.thread()));
            liveBytes += e.size();
        }
        if (e.operation() != Operation.MISSED_FREE) {
            fact("ns", e.durationNs(), e.thread());
        } else {
            fact("missed", 1, e.thread());
        }
        fact("live", liveBytes, -1);
    }

    private void release(TestEvent e) {
        if (e.released() < 0) {
            fact(
                    e.released() == EventColumns.UNKNOWN_BLOCK ? "unknown" : "preexisting",
                    1,
                    e.thread());
            return;
        }
        Made block = Objects.requireNonNull(made.remove(e.released()));
        liveBytes -= block.size;
        facts.add(
                new Fact(
                        frameMarksNs.size(),
                        tickMarksNs.size(),
                        phase(),
                        e.thread(),
                        "free bytes",
                        block.size,
                        block.rounded,
                        block.frame,
                        block.tick));
        if (block.thread != e.thread()) {
            fact("cross", 1, e.thread());
        }
    }

    private long sum(Predicate<Fact> where, String what) {
        return of(where, what).mapToLong(Fact::number).sum();
    }

    private Stream<Fact> of(Predicate<Fact> where, String what) {
        return facts.stream().filter(f -> f.what.equals(what)).filter(where);
    }

    private Map<String, Object> totals(Predicate<Fact> where) {
        Map<String, Object> row = new TreeMap<>();
        row.put("alloc_calls", sum(where, "alloc"));
        row.put("free_calls", sum(where, "free"));
        row.put("realloc_calls", sum(where, "realloc"));
        row.put("failed_calls", sum(where, "failed"));
        row.put("alloc_bytes", sum(where, "alloc bytes"));
        row.put("free_bytes", sum(where, "free bytes"));
        row.put("allocator_ns", sum(where, "ns"));
        row.put("peak_live_bytes", of(where, "live").mapToLong(Fact::number).max().orElse(0));
        return row;
    }

    /** The rows of {@code frames}, in order. */
    List<Map<String, Object>> frames() {
        return spans(true);
    }

    /** The rows of {@code ticks}, in order. */
    List<Map<String, Object>> ticks() {
        return spans(false);
    }

    private List<Map<String, Object>> spans(boolean isFrames) {
        String word = isFrames ? "frame" : "tick";
        List<Long> marks = isFrames ? frameMarksNs : tickMarksNs;
        List<Map<String, Object>> rows = new ArrayList<>();
        for (long n = 0; n <= marks.size() && !marks.isEmpty(); n++) {
            long span = n;
            Predicate<Fact> in = f -> (isFrames ? f.frame : f.tick) == span;
            long startNs = n == 0 ? 0 : marks.get((int) n - 1);
            boolean isLast = n == marks.size();
            long spanEndNs = isLast ? endNs : marks.get((int) n);
            Map<String, Object> row = totals(in);
            row.put(word, n);
            row.put("start_ns", startNs);
            row.put("duration_ns", spanEndNs - startNs);
            row.put("is_complete", n > 0 && !isLast);
            if (of(in, "ns").findAny().isPresent()) {
                row.put("max_call_ns", of(in, "ns").mapToLong(Fact::number).max().orElseThrow());
            }
            row.put("calls_over_10us", of(in, "ns").filter(f -> f.number > 10_000).count());
            row.put("calls_over_100us", of(in, "ns").filter(f -> f.number > 100_000).count());
            row.put("calls_over_1ms", of(in, "ns").filter(f -> f.number > 1_000_000).count());
            if (!isLast) {
                long marker = (isFrames ? frameMarkers : tickMarkers).get((int) n);
                row.put("marking_thread_allocator_ns", sum(in.and(f -> f.thread == marker), "ns"));
            }
            row.put("live_bytes", (isFrames ? liveAtFrameEnd : liveAtTickEnd).get(n));
            row.put("live_blocks", (isFrames ? blocksAtFrameEnd : blocksAtTickEnd).get(n));
            row.put("adjusted_live_bytes", 0L);
            Predicate<Fact> bornHere = f -> (isFrames ? f.madeFrame : f.madeTick) == span;
            Predicate<Fact> inNext = f -> (isFrames ? f.frame : f.tick) == span + 1;
            row.put("same_" + word + "_blocks", of(in.and(bornHere), "free bytes").count());
            row.put("same_" + word + "_bytes", sum(in.and(bornHere), "free bytes"));
            row.put("next_" + word + "_blocks", of(inNext.and(bornHere), "free bytes").count());
            row.put("next_" + word + "_bytes", sum(inNext.and(bornHere), "free bytes"));
            row.put(word + "_arena_bytes", rounded(in.and(bornHere)));
            row.put("double_buffer_bytes", rounded(in.or(inNext).and(bornHere)));
            facts.stream()
                    .filter(in)
                    .findFirst()
                    .map(Fact::phase)
                    .ifPresent(phase -> row.put("phase", phase));
            rows.add(row);
        }
        return rows;
    }

    private long rounded(Predicate<Fact> where) {
        return of(where, "free bytes").mapToLong(Fact::rounded).sum();
    }

    /** The rows of {@code phases}, by name. */
    Map<String, Map<String, Object>> phases() {
        Map<String, Map<String, Object>> rows = new TreeMap<>();
        for (int i = 0; i < stretches.size(); i++) {
            Stretch stretch = stretches.get(i);
            long untilNs = i + 1 == stretches.size() ? endNs : stretches.get(i + 1).fromNs;
            Predicate<Fact> in = f -> stretch.phase.equals(f.phase);
            Map<String, Object> row =
                    rows.computeIfAbsent(
                            stretch.phase,
                            name -> {
                                Map<String, Object> first = totals(in);
                                first.put("phase", name);
                                first.put("start_ns", stretch.fromNs);
                                first.put("duration_ns", 0L);
                                first.put("frames", sum(in, "frame begins"));
                                first.put("ticks", sum(in, "tick begins"));
                                return first;
                            });
            row.merge("duration_ns", untilNs - stretch.fromNs, (a, b) -> (Long) a + (Long) b);
        }
        return rows;
    }

    /** The rows of {@code threads} without names, by number. */
    Map<Integer, Map<String, Object>> threads() {
        Map<Integer, Map<String, Object>> rows = new TreeMap<>();
        for (Fact fact : facts) {
            if (fact.thread >= 0) {
                Predicate<Fact> of = f -> f.thread == fact.thread;
                rows.computeIfAbsent(
                        fact.thread,
                        thread -> {
                            Map<String, Object> row = new TreeMap<>();
                            row.put("thread", thread);
                            row.put("alloc_calls", sum(of, "alloc"));
                            row.put("free_calls", sum(of, "free"));
                            row.put("alloc_bytes", sum(of, "alloc bytes"));
                            row.put("allocator_ns", sum(of, "ns"));
                            row.put("cross_thread_frees", sum(of, "cross"));
                            return row;
                        });
            }
        }
        return rows;
    }

    /** Totals of the session, as far as events say them. */
    Map<String, Object> session() {
        Map<String, Object> row = totals(f -> true);
        row.put("unknown_frees", sum(f -> true, "unknown"));
        row.put("preexisting_frees", sum(f -> true, "preexisting"));
        row.put("missed_frees", sum(f -> true, "missed"));
        row.put("end_live_bytes", liveBytes);
        row.put("end_live_blocks", (long) made.size());
        row.put("frames", frameMarksNs.isEmpty() ? 0L : frameMarksNs.size() + 1L);
        row.put("ticks", tickMarksNs.isEmpty() ? 0L : tickMarksNs.size() + 1L);
        row.put("duration_ns", endNs);
        return row;
    }
}
