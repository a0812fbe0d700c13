package dev.tidemark.ingest.replayer;

import dev.tidemark.schemas.avro.SessionEnd;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/**
 * A recording made ready to be replayed: a plan file, and what it says of the recording. It is made
 * once and serves every arm and round.
 */
public final class ReplayPlan {
    private final Path file;
    private final SourceRecording source;
    private final RecordedBlocks blocks;
    private final int[] threads;
    private final int[] firstCalls;
    private final int[] firstStretches;
    private final CallTotals totals;
    private final long peakLiveBytes;
    private final long durationNs;
    private final int activeThreads;
    private final int[] frameMarks;
    private final long periodNs;
    private final long endNs;

    private ReplayPlan(
            Path file,
            SourceRecording source,
            RecordedBlocks blocks,
            Planner planner,
            List<ThreadPlan> order)
            throws ReplayException {
        this.file = file;
        this.source = source;
        this.blocks = blocks;
        threads = order.stream().mapToInt(ThreadPlan::number).toArray();
        firstCalls = firsts(order, ThreadPlan::calls);
        firstStretches = firsts(order, ThreadPlan::stretches);
        totals = planner.totals();
        peakLiveBytes = planner.peakLiveBytes();
        durationNs = planner.endNs();
        activeThreads = planner.mostActive();
        frameMarks =
                IntStream.range(0, planner.marks())
                        .filter(i -> planner.isTick(i) == (blocks.frames() == 0))
                        .toArray();
        periodNs = median(planner, frameMarks);
        SessionEnd end = source.end();
        long lastNs = blocks.originNs() + durationNs;
        endNs = end == null ? lastNs : Math.max(lastNs, end.getAtNs());
        source.start();
    }

    /**
     * Plans a recording.
     *
     * @param recording of one session with its calls
     * @param file where the plan goes, in place of one that may be there: 16 bytes a call
     * @throws ReplayException when it has no calls, several sessions, gaps or damage
     * @throws IOException when a file can't be read or written
     */
    public static ReplayPlan of(Path recording, Path file) throws IOException {
        SourceRecording source = new SourceRecording(recording);
        RecordedBlocks blocks = new RecordedBlocks();
        source.read(blocks);
        if (blocks.calls() == 0) {
            throw source.bad(
                    "it has no calls to replay; record a program that allocates while it runs");
        }
        Planner planner = new Planner(blocks);
        source.read(planner);
        planner.finish();
        List<ThreadPlan> order =
                Arrays.stream(planner.threads())
                        .filter(ThreadPlan::isUsed)
                        .sorted(
                                Comparator.comparing((ThreadPlan thread) -> thread.number() != 0)
                                        .thenComparingLong(ThreadPlan::beginNs))
                        .toList();
        new PlanFile(planner, order).write(file);
        return new ReplayPlan(file, source, blocks, planner, order);
    }

    /** The plan file. */
    public Path file() {
        return file;
    }

    /** The recording, which must stay as it is while the plan is used. */
    public Path recording() {
        return source.path();
    }

    /** What the replayed calls add up to. */
    public CallTotals totals() {
        return totals;
    }

    /** The most bytes asked for that were live at once. */
    public long peakLiveBytes() {
        return peakLiveBytes;
    }

    /** How long a paced replay takes, without what comes after it, ns. */
    public long durationNs() {
        return durationNs;
    }

    /** Threads that make calls or marks. */
    public int threads() {
        return threads.length;
    }

    /** The most threads that made calls within one millisecond. */
    public int activeThreads() {
        return activeThreads;
    }

    /** Frame and tick marks. */
    public int marks() {
        return blocks.frames() + blocks.ticks();
    }

    /** Whether its calls have times, without which no pace can be kept. */
    public boolean hasTimes() {
        return blocks.hasTimes();
    }

    /** What a reader of the results should know of the recording, a line each. */
    public List<String> notes() {
        List<String> notes = new ArrayList<>();
        if (threads.length == 1) {
            notes.add("one thread: nothing is released by another, and nothing contends");
        }
        if (!hasTimes()) {
            notes.add("no times: it can be replayed with pace none alone");
        }
        if (marks() == 0) {
            notes.add("no frames or ticks: only profiled rounds carry its calls");
        }
        if (blocks.leftOut() > 0) {
            notes.add(
                    "%,d releases of blocks that the recording did not see made are left out"
                            .formatted(blocks.leftOut()));
        }
        if (blocks.dropped() > 0) {
            notes.add(
                    "%,d events were dropped when it was recorded: its sessions are not comparable"
                            .formatted(blocks.dropped()));
        }
        int cores = Runtime.getRuntime().availableProcessors();
        if (activeThreads > cores) {
            notes.add(
                    "%d threads were active at once, and %d cores are here: contention is not the recording's"
                            .formatted(activeThreads, cores));
        }
        return notes;
    }

    SourceRecording source() {
        return source;
    }

    /** Numbers of the threads in the plan's order. */
    int[] threadNumbers() {
        return threads.clone();
    }

    boolean hasFrames() {
        return blocks.frames() > 0;
    }

    /** Session time of the plan's origin. */
    long originNs() {
        return blocks.originNs();
    }

    /** Session time of the recording's end. */
    long endNs() {
        return endNs;
    }

    /** Which of the marks begin a frame; where none does, a tick. */
    int[] frameMarks() {
        return frameMarks.clone();
    }

    /** Median time between two of these, or 0. */
    long periodNs() {
        return periodNs;
    }

    /** Tells, by thread number, where a thread's calls and stretches begin in a result. */
    void place(int[] numbers, int[] calls, int[] stretches) {
        for (int i = 0; i < numbers.length; i++) {
            calls[numbers[i]] = firstCalls[i];
            stretches[numbers[i]] = firstStretches[i];
        }
    }

    private static int[] firsts(List<ThreadPlan> order, ToLongFunction<ThreadPlan> count) {
        int[] firsts = new int[order.size()];
        for (int i = 1; i < firsts.length; i++) {
            firsts[i] = Math.toIntExact(firsts[i - 1] + count.applyAsLong(order.get(i - 1)));
        }
        return firsts;
    }

    private static long median(Planner planner, int[] marks) {
        long[] periods =
                IntStream.range(1, marks.length)
                        .mapToLong(i -> planner.markNs(marks[i]) - planner.markNs(marks[i - 1]))
                        .sorted()
                        .toArray();
        return periods.length == 0 ? 0 : periods[periods.length / 2];
    }
}
