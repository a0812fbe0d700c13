package dev.tidemark.ingest.merge;

import static dev.tidemark.ingest.merge.WrittenRings.START;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.ingest.merge.WrittenRings.Written;
import dev.tidemark.ingest.ring.RecordDescriptor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random programs of four threads, written into small rings while the merger polls at random
 * moments, against an oracle that knows the whole program: it sorts all calls by their order keys
 * and pairs addresses in a plain map. Calls are drawn so that the true order is never in doubt.
 */
final class MergeOracleTest {
    private static final int THREADS = 4;
    private static final int CALLS = 4_000;
    private static final long NOW = 60_000_000_000L;

    /** A call of the program: its records are published together when it returns. */
    private record Call(int thread, long begin, long returned, List<Written> records) {}

    @TempDir Path folder;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void agreesWithASortOfTheWholeProgram(long seed) throws Exception {
        Random random = new Random(seed);
        List<Call> program = program(random);
        ToldEvents told = new ToldEvents();
        try (WrittenRings rings = new WrittenRings(folder.resolve(seed + ".ring"), THREADS, 64)) {
            RingMerger merger = new RingMerger(rings.file(), rings.clock(), told, false, 1 << 16);
            for (int thread = 0; thread < THREADS; thread++) {
                rings.put(thread, Written.thread(START, thread));
            }
            run(program, rings, merger, random);
            merger.drain();
            assertThat(merger.counts()).isEqualTo(new MergeCounts(0, 0, 0, 0, 0));
        }
        assertThat(told.lines).isEqualTo(oracle(program));
    }

    /** Moments in order: a call begins (and is in flight), returns (and is published). */
    private static void run(
            List<Call> program, WrittenRings rings, RingMerger merger, Random random)
            throws Exception {
        record Moment(long stamp, Call call, boolean isReturn) {}
        List<Moment> moments = new ArrayList<>();
        for (Call call : program) {
            moments.add(new Moment(call.begin, call, false));
            moments.add(new Moment(call.returned, call, true));
        }
        moments.sort(
                Comparator.comparingLong(Moment::stamp)
                        .thenComparing(moment -> moment.isReturn() ? 0 : 1));
        for (Moment moment : moments) {
            int ring = moment.call().thread;
            if (!moment.isReturn()) {
                while (rings.room(ring) < 8) {
                    merger.poll(NOW);
                }
                if (random.nextInt(8) == 0) {
                    rings.inflight(ring, 1);
                    merger.poll(NOW);
                }
                rings.inflight(ring, moment.call().begin);
            } else {
                rings.put(ring, moment.call().records.toArray(new Written[0]));
                if (random.nextInt(8) == 0) {
                    merger.poll(NOW);
                }
                rings.inflight(ring, 0);
            }
            if (random.nextInt(16) == 0) {
                merger.poll(NOW);
            }
        }
    }

    /** Calls of random lengths; an address is given out again only after its release has begun. */
    private static List<Call> program(Random random) {
        List<Call> calls = new ArrayList<>();
        long[] free = new long[THREADS];
        Arrays.fill(free, START + 10);
        List<Long> live = new ArrayList<>();
        Map<Long, Long> liveFrom = new HashMap<>();
        List<Long> spare = new ArrayList<>();
        Map<Long, Long> spareFrom = new HashMap<>();
        long nextAddress = 0x1000;
        long clock = START + 10;
        for (int i = 0; i < CALLS; i++) {
            int thread = random.nextInt(THREADS);
            clock += 1 + random.nextInt(40);
            long begin = Math.max(free[thread], clock);
            long returned = begin + 1 + random.nextInt(random.nextInt(20) == 0 ? 60_000 : 60);
            free[thread] = returned + 1;
            int kind = random.nextInt(10);
            Long old = null;
            if (kind >= 5 && !live.isEmpty()) {
                int at = random.nextInt(live.size());
                if (liveFrom.getOrDefault(live.get(at), 0L) < begin) {
                    old = live.remove(at);
                }
            }
            long made = 0;
            if (old == null || kind == 9) {
                int at = spare.isEmpty() ? -1 : random.nextInt(spare.size());
                if (at >= 0 && spareFrom.getOrDefault(spare.get(at), 0L) < begin) {
                    made = spare.remove(at);
                } else {
                    made = nextAddress += 16;
                }
                live.add(made);
                liveFrom.put(made, returned);
            }
            if (old != null) {
                spare.add(old);
                spareFrom.put(old, begin);
            }
            calls.add(new Call(thread, begin, returned, records(begin, returned, old, made)));
        }
        return calls;
    }

    private static List<Written> records(long begin, long returned, @Nullable Long old, long made) {
        if (old == null) {
            return List.of(Written.malloc(begin, returned, made, 32));
        }
        if (made == 0) {
            return List.of(Written.free(begin, returned, old));
        }
        return List.of(
                Written.reallocFrom(begin, returned, old),
                Written.realloc(begin, returned, made, 32));
    }

    private static List<String> oracle(List<Call> program) {
        record Step(long key, boolean isRelease, Call call, Written record, int order) {}
        List<Step> steps = new ArrayList<>();
        for (Call call : program) {
            for (Written record : call.records) {
                boolean isRelease =
                        record.operation() == RecordDescriptor.FREE
                                || record.operation() == RecordDescriptor.REALLOC_FROM;
                long key = isRelease ? call.begin : call.returned;
                steps.add(new Step(key, isRelease, call, record, steps.size()));
            }
        }
        steps.sort(
                Comparator.comparingLong(Step::key)
                        .thenComparing(step -> !step.isRelease())
                        .thenComparing(step -> step.call().thread)
                        .thenComparing(Step::order));
        Map<Long, Long> ordinals = new HashMap<>();
        IdentityHashMap<Call, Long> resized = new IdentityHashMap<>();
        List<String> lines = new ArrayList<>();
        long blocks = 0;
        for (Step step : steps) {
            String where = " t" + step.call().thread + " @" + (step.key() - START);
            long address = step.record().address();
            switch (step.record().operation()) {
                case RecordDescriptor.MALLOC -> {
                    ordinals.put(address, blocks);
                    lines.add("malloc" + where + " +" + blocks++);
                }
                case RecordDescriptor.FREE ->
                        lines.add("free" + where + " -" + ordinals.remove(address));
                case RecordDescriptor.REALLOC_FROM ->
                        resized.put(step.call(), ordinals.remove(address));
                default -> {
                    ordinals.put(address, blocks);
                    lines.add(
                            "realloc" + where + " +" + blocks++ + " -" + resized.get(step.call()));
                }
            }
        }
        return lines;
    }
}
