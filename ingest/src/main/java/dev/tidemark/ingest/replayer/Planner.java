package dev.tidemark.ingest.replayer;

import dev.tidemark.schemas.EventColumns;
import dev.tidemark.schemas.Operation;
import java.util.Arrays;

/** Second reading of a recording: lays every call out in its thread's list. */
final class Planner implements SourceRecording.Visitor {
    /** Gaps from this length on are waited for. */
    static final long GAP_NS = 20_000;

    private static final long WINDOW_NS = 1_000_000;

    private final RecordedBlocks blocks;
    private final ThreadPlan[] threads;
    private final LiveSizes live = new LiveSizes();
    private final CallCounter counter = new CallCounter();
    private int[] slots = new int[1024];
    private byte[] alignments = new byte[1024];

    private int marks;
    private long[] markTimes = new long[64];
    private int[] markThreads = new int[64];
    private boolean[] areTicks = new boolean[64];
    private int frame;
    private long spanBeginNs;
    private long endNs;

    private final long[] windows;
    private long window = -1;
    private int active;
    private int mostActive;

    Planner(RecordedBlocks blocks) throws ReplayException {
        this.blocks = blocks;
        threads = new ThreadPlan[blocks.threads()];
        windows = new long[threads.length];
        Arrays.fill(windows, -1);
        long firstSlot = 0;
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new ThreadPlan(i, (int) firstSlot);
            firstSlot += blocks.slots(i);
        }
        if (firstSlot > Integer.MAX_VALUE) {
            throw ReplayException.badInput(
                    "%,d blocks need slots at once, more than %,d; record a shorter stretch"
                            .formatted(firstSlot, Integer.MAX_VALUE));
        }
        slotCount = (int) firstSlot;
    }

    private final int slotCount;

    @Override
    public void events(EventColumns events) {
        for (int i = 0; i < events.size(); i++) {
            if (Operation.isSpanMark(events.operation(i))) {
                mark(events, i);
            } else if (RecordedCall.isReplayed(events, i)) {
                call(events, i);
            }
        }
    }

    private void mark(EventColumns events, int i) {
        if (marks == markTimes.length) {
            markTimes = Arrays.copyOf(markTimes, marks * 2);
            markThreads = Arrays.copyOf(markThreads, marks * 2);
            areTicks = Arrays.copyOf(areTicks, marks * 2);
        }
        long atNs = Math.max(0, events.timeNs(i) - blocks.originNs());
        boolean isTick = events.operation(i) == Operation.TICK;
        ThreadPlan thread = threads[events.thread(i)];
        if (!thread.isUsed()) {
            thread.enter(marks, frame, spanBeginNs, atNs, GAP_NS);
        }
        thread.add(PlanDescriptor.MARK, 0, 0, marks, atNs);
        thread.marked(atNs);
        markTimes[marks] = atNs;
        markThreads[marks] = events.thread(i);
        areTicks[marks] = isTick;
        marks++;
        frame += isTick == (blocks.frames() == 0) ? 1 : 0;
        spanBeginNs = atNs;
    }

    private void call(EventColumns events, int i) {
        int number = events.thread(i);
        ThreadPlan thread = threads[number];
        long beginNs = Math.max(0, RecordedCall.beginNs(events, i) - blocks.originNs());
        thread.enter(marks, frame, spanBeginNs, beginNs, GAP_NS);
        long given = events.released(i);
        if (given >= 0 && blocks.maker(given) != number) {
            thread.add(PlanDescriptor.AWAIT, 0, 0, slots[(int) given], 0);
        }
        long givenBytes = given >= 0 ? live.sizeOf(given) : 0;
        counter.add(events, i, live.take(events, i));
        long ended = RecordedCall.ended(events, i);
        if (ended >= 0 && !blocks.isRemote(ended)) {
            thread.returnSlot(slots[(int) ended]);
        }
        add(thread, events, i, givenBytes);
        long callEndNs = RecordedCall.endNs(events, i) - blocks.originNs();
        thread.called(callEndNs);
        endNs = Math.max(endNs, callEndNs);
        see(number, events.timeNs(i) / WINDOW_NS);
    }

    private void add(ThreadPlan thread, EventColumns events, int i, long givenBytes) {
        int operation = events.operation(i);
        long given = events.released(i);
        if (Operation.asksForBlock(operation)) {
            int log2 = log2(events.alignmentBytes(i));
            int flags = PlanDescriptor.FLAG_NO_BLOCK;
            int slot = PlanDescriptor.NO_SLOT;
            long made = events.made(i);
            if (made >= 0) {
                flags = blocks.arenaFlags(made);
                slot = thread.takeSlot(blocks.isRemote(made));
                keep((int) made, slot, operation == Operation.NEW ? log2 : 0);
                thread.stack(flags, events.sizeBytes(i), log2);
            }
            thread.add(kind(operation), log2, flags, slot, events.sizeBytes(i));
            if (operation == Operation.REALLOC) {
                boolean hasOld = given >= 0;
                thread.add(
                        PlanDescriptor.RESIZED,
                        0,
                        hasOld ? blocks.arenaFlags(given) : 0,
                        hasOld ? slots[(int) given] : PlanDescriptor.NO_SLOT,
                        givenBytes);
            }
        } else if (operation == Operation.TRIM) {
            thread.add(PlanDescriptor.TRIM, 0, 0, PlanDescriptor.NO_SLOT, 0);
        } else {
            boolean isDelete = operation == Operation.DELETE;
            thread.add(
                    isDelete ? PlanDescriptor.DELETE : PlanDescriptor.FREE,
                    isDelete ? alignments[(int) given] : 0,
                    blocks.arenaFlags(given),
                    slots[(int) given],
                    givenBytes);
            slots[(int) given] = PlanDescriptor.NO_SLOT;
        }
        if (operation == Operation.REALLOC && RecordedCall.ended(events, i) >= 0) {
            slots[(int) given] = PlanDescriptor.NO_SLOT;
        }
    }

    private void keep(int block, int slot, int log2Alignment) {
        if (block >= slots.length) {
            int capacity = Math.max(block + 1, slots.length * 2);
            slots = Arrays.copyOf(slots, capacity);
            alignments = Arrays.copyOf(alignments, capacity);
        }
        slots[block] = slot;
        alignments[block] = (byte) log2Alignment;
        blockCount = Math.max(blockCount, block + 1);
    }

    private int blockCount;

    private void see(int thread, long newWindow) {
        if (newWindow != window) {
            window = newWindow;
            active = 0;
        }
        if (windows[thread] != window) {
            windows[thread] = window;
            mostActive = Math.max(mostActive, ++active);
        }
    }

    private static int log2(long alignmentBytes) {
        return alignmentBytes <= 1 ? 0 : Long.SIZE - 1 - Long.numberOfLeadingZeros(alignmentBytes);
    }

    private static int kind(int operation) {
        return switch (operation) {
            case Operation.MALLOC -> PlanDescriptor.MALLOC;
            case Operation.CALLOC -> PlanDescriptor.CALLOC;
            case Operation.ALIGNED -> PlanDescriptor.ALIGNED;
            case Operation.NEW -> PlanDescriptor.NEW;
            case Operation.REALLOC -> PlanDescriptor.REALLOC;
            default -> throw new IllegalArgumentException("operation " + operation);
        };
    }

    /** Hands what was never released to the threads that made it. */
    void finish() {
        for (int block = 0; block < blockCount; block++) {
            if (slots[block] != PlanDescriptor.NO_SLOT) {
                threads[blocks.maker(block)].leave(slots[block]);
            }
        }
    }

    ThreadPlan[] threads() {
        return threads;
    }

    int slotCount() {
        return slotCount;
    }

    CallTotals totals() {
        return counter.totals();
    }

    long peakLiveBytes() {
        return live.highestBytes();
    }

    /** The most threads with calls in one millisecond. */
    int mostActive() {
        return mostActive;
    }

    /** End of the last call, since the origin. */
    long endNs() {
        return endNs;
    }

    int marks() {
        return marks;
    }

    long markNs(int mark) {
        return markTimes[mark];
    }

    int markThread(int mark) {
        return markThreads[mark];
    }

    boolean isTick(int mark) {
        return areTicks[mark];
    }
}
