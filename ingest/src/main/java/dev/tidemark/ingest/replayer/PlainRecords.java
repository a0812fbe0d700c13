package dev.tidemark.ingest.replayer;

import dev.tidemark.schemas.EventColumns;
import dev.tidemark.schemas.Operation;
import dev.tidemark.schemas.avro.MarkCounters;
import dev.tidemark.schemas.avro.MarkKind;
import dev.tidemark.schemas.avro.ThreadCounters;
import dev.tidemark.schemas.avro.ThreadInfo;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A plain round as sums at each mark. What comes after the last mark has no record that could carry
 * it, as in every session of sums.
 */
final class PlainRecords implements SourceRecording.Visitor {
    private static final class Sums {
        final CallCounter calls = new CallCounter();
        long allocatorNs;
    }

    private final ReplayCursor cursor;
    private final SessionWriter writer;
    private final MemoryRecords memory;
    private final LiveSizes live = new LiveSizes();
    private final Map<Integer, Sums> threads = new TreeMap<>();
    private final Map<Integer, Sums> changed = new TreeMap<>();
    private @Nullable String phase;
    private long frames;
    private long ticks;
    private long dropped;

    PlainRecords(ReplayCursor cursor, SessionWriter writer, MemoryRecords memory) {
        this.cursor = cursor;
        this.writer = writer;
        this.memory = memory;
    }

    @Override
    public void thread(ThreadInfo info) throws IOException {
        writer.send(info);
    }

    @Override
    public void events(EventColumns events) throws IOException {
        dropped += events.droppedBefore();
        for (int i = 0; i < events.size(); i++) {
            int operation = events.operation(i);
            if (operation == Operation.PHASE) {
                phase = events.name(i);
            } else if (Operation.isSpanMark(operation)) {
                cursor.enter(events, i);
                mark(events, i);
            } else if (RecordedCall.isReplayed(events, i)) {
                call(events, i);
            }
        }
    }

    private void call(EventColumns events, int i) throws IOException {
        int thread = events.thread(i);
        Sums sums = threads.computeIfAbsent(thread, number -> new Sums());
        changed.put(thread, sums);
        if (cursor.enter(events, i)) {
            sums.allocatorNs += cursor.allocatorNs(thread);
        }
        sums.calls.add(events, i, live.take(events, i));
    }

    private void mark(EventColumns events, int i) throws IOException {
        boolean isTick = events.operation(i) == Operation.TICK;
        List<ThreadCounters> counters = new ArrayList<>();
        changed.forEach((thread, sums) -> counters.add(counters(thread, sums)));
        changed.clear();
        memory.sendBefore(events.timeNs(i));
        writer.send(
                MarkCounters.newBuilder()
                        .setMark(isTick ? MarkKind.TICK : MarkKind.FRAME)
                        .setOrdinal(isTick ? ++ticks : ++frames)
                        .setAtNs(events.timeNs(i))
                        .setThread(events.thread(i))
                        .setPhase(phase)
                        .setLiveBytes(live.bytes())
                        .setLiveBlocks(live.blocks())
                        .setPeakLiveBytes(live.takePeakBytes())
                        .setDroppedEvents(dropped)
                        .setThreads(counters)
                        .build());
    }

    private ThreadCounters counters(int thread, Sums sums) {
        CallTotals totals = sums.calls.totals();
        return ThreadCounters.newBuilder()
                .setThread(thread)
                .setAllocCalls(totals.allocCalls())
                .setFreeCalls(totals.freeCalls())
                .setReallocCalls(totals.reallocCalls())
                .setFailedCalls(totals.failedCalls())
                .setAllocBytes(totals.allocBytes())
                .setFreeBytes(totals.freeBytes())
                .setAllocatorNs(sums.allocatorNs)
                .setInvoluntarySwitches(cursor.switches(thread))
                .build();
    }
}
