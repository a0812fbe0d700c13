package dev.tidemark.ingest.agent;

import dev.tidemark.ingest.merge.EventOutput;
import dev.tidemark.schemas.EventColumns;
import dev.tidemark.schemas.Operation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Fills blocks of events and cuts them: at 250 KiB, a second of session time, a loss. Puts in the
 * marks of fixed periods. An error of the sink comes as {@link UncheckedIOException}. One thread.
 */
final class BlockBuilder implements EventOutput {
    private static final int MAX_BYTES = 250 << 10;
    private static final long MAX_SPAN_NS = 1_000_000_000L;
    private static final int HEAD_BYTES = 128;
    private static final int EVENT_BYTES = 2;
    private static final int RUN_BYTES = 3;

    private final RecordOutput output;
    private final MarkTracks tracks;
    private final ThreadTable threads;
    private final LongSupplier timeInversions;
    private final LongConsumer tickCosts;
    private final EventColumns columns = new EventColumns();

    private boolean isBegun;
    private int bytes;
    private int lastThread;
    private long lastNs;
    private long nextFixedNs = Long.MAX_VALUE;
    private long droppedNext;

    private long events;
    private long blocks;
    private long liveBytes;
    private long liveBlocks;
    private long dropped;
    private long allocations;
    private long allocatorNs;
    private long allocatorNsAtTick;
    private long frames;
    private long ticks;

    /**
     * A builder of one session's blocks.
     *
     * @param timeInversions the count to stand in a block when it is cut
     * @param tickCosts told the allocator's time in each tick
     */
    BlockBuilder(
            RecordOutput output,
            MarkTracks tracks,
            ThreadTable threads,
            LongSupplier timeInversions,
            LongConsumer tickCosts) {
        this.output = output;
        this.tracks = tracks;
        this.threads = threads;
        this.timeInversions = timeInversions;
        this.tickCosts = tickCosts;
    }

    long events() {
        return events;
    }

    long liveBytes() {
        return liveBytes;
    }

    long liveBlocks() {
        return liveBlocks;
    }

    long droppedEvents() {
        return dropped;
    }

    long allocations() {
        return allocations;
    }

    long allocatorNs() {
        return allocatorNs;
    }

    long frames() {
        return frames;
    }

    long ticks() {
        return ticks;
    }

    /** Time of the newest event. */
    long lastNs() {
        return lastNs;
    }

    /** From now on the output is open, with so many marks put in before. */
    void opened(long marksPutIn) {
        events += marksPutIn;
        nextFixedNs = tracks.nextNs();
        if (tracks.ticks().nextNs() != Long.MAX_VALUE) {
            ticks += marksPutIn;
        } else {
            frames += marksPutIn;
        }
    }

    /** Puts in fixed marks up to a session time for which nothing earlier can come. */
    void advanceTo(long timeNs) {
        if (nextFixedNs <= timeNs) {
            putFixedMarks(timeNs);
        }
    }

    private void begin(int thread, long timeNs, int eventBytes) {
        if (nextFixedNs <= timeNs) {
            putFixedMarks(timeNs);
        }
        prepare(thread, timeNs, eventBytes);
    }

    private void putFixedMarks(long toNs) {
        while (nextFixedNs <= toNs) {
            long timeNs = nextFixedNs;
            int operation = tracks.next();
            nextFixedNs = tracks.nextNs();
            prepare(0, timeNs, 1);
            columns.addMark(operation, 0, timeNs);
            count(operation);
        }
    }

    private void prepare(int thread, long timeNs, int eventBytes) {
        if (isBegun && (bytes >= MAX_BYTES || timeNs - columns.firstTimeNs() >= MAX_SPAN_NS)) {
            cut();
        }
        if (!isBegun) {
            columns.begin(events, blocks, timeNs, liveBytes, liveBlocks, droppedNext);
            droppedNext = 0;
            isBegun = true;
            bytes = HEAD_BYTES;
            lastNs = timeNs;
        }
        bytes += EVENT_BYTES + varintBytes(timeNs - lastNs) + eventBytes;
        if (thread != lastThread) {
            bytes += RUN_BYTES;
            lastThread = thread;
        }
        lastNs = timeNs;
        events++;
    }

    /** Length of a value that is 0 or more as Avro writes it. */
    private static int varintBytes(long value) {
        return (Long.SIZE + 7 - Long.numberOfLeadingZeros(value)) / 7;
    }

    /** Ends the open block, if there is one, and sends it. */
    void cut() {
        if (!isBegun) {
            return;
        }
        columns.timeInversions(timeInversions.getAsLong());
        isBegun = false;
        send();
    }

    private void send() {
        try {
            output.send(columns);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends a loss that no event followed, as an empty block. */
    void finish(long endNs) {
        cut();
        if (droppedNext > 0) {
            columns.begin(events, blocks, endNs, liveBytes, liveBlocks, droppedNext);
            columns.timeInversions(timeInversions.getAsLong());
            droppedNext = 0;
            send();
        }
    }

    @Override
    public void allocation(
            int operation,
            int thread,
            long timeNs,
            long durationNs,
            long sizeBytes,
            long alignmentBytes,
            boolean madeBlock) {
        begin(
                thread,
                timeNs,
                varintBytes(durationNs)
                        + varintBytes(sizeBytes)
                        + (alignmentBytes == 0 ? 0 : varintBytes(alignmentBytes)));
        columns.addAllocation(
                operation, thread, timeNs, durationNs, sizeBytes, alignmentBytes, madeBlock);
        allocatorNs += durationNs;
        if (madeBlock) {
            allocations++;
            blocks++;
            liveBlocks++;
            liveBytes += sizeBytes;
        }
    }

    @Override
    public void reallocation(
            int thread,
            long timeNs,
            long durationNs,
            long sizeBytes,
            boolean madeBlock,
            long released,
            long releasedBytes) {
        begin(
                thread,
                timeNs,
                varintBytes(durationNs) + varintBytes(sizeBytes) + distanceBytes(released));
        columns.addReallocation(thread, timeNs, durationNs, sizeBytes, madeBlock, released);
        allocatorNs += durationNs;
        if (released >= 0 && (madeBlock || sizeBytes == 0)) {
            liveBlocks--;
            liveBytes -= releasedBytes;
        }
        if (madeBlock) {
            allocations += released == EventColumns.NO_BLOCK ? 1 : 0;
            blocks++;
            liveBlocks++;
            liveBytes += sizeBytes;
        }
    }

    @Override
    public void release(
            int operation,
            int thread,
            long timeNs,
            long durationNs,
            long released,
            long releasedBytes) {
        begin(thread, timeNs, varintBytes(durationNs) + distanceBytes(released));
        columns.addRelease(operation, thread, timeNs, durationNs, released);
        allocatorNs += durationNs;
        if (released >= 0) {
            liveBlocks--;
            liveBytes -= releasedBytes;
        }
    }

    private int distanceBytes(long released) {
        return released < 0 ? 1 : varintBytes(blocks - released);
    }

    @Override
    public void mark(int operation, int thread, long timeNs, int source) {
        if (!tracks.take(operation, source, timeNs)) {
            return;
        }
        begin(thread, timeNs, 1);
        columns.addMark(operation, thread, timeNs);
        count(operation);
    }

    private void count(int operation) {
        if (operation == Operation.FRAME) {
            frames++;
        } else {
            ticks++;
            tickCosts.accept(allocatorNs - allocatorNsAtTick);
            allocatorNsAtTick = allocatorNs;
        }
    }

    @Override
    public void phase(int thread, long timeNs, String name) {
        begin(thread, timeNs, name.length() + 2);
        columns.addPhase(thread, timeNs, name);
    }

    @Override
    public void value(int thread, long timeNs, String name, double value) {
        begin(thread, timeNs, name.length() + 2 + Double.BYTES);
        columns.addValue(thread, timeNs, name, value);
    }

    @Override
    public void trim(int thread, long timeNs, long durationNs, long returnedBytes) {
        begin(thread, timeNs, varintBytes(durationNs) + Long.BYTES);
        columns.addTrim(thread, timeNs, durationNs, returnedBytes);
        allocatorNs += durationNs;
    }

    @Override
    public void dropped(long lost) {
        cut();
        droppedNext += lost;
        dropped += lost;
    }

    @Override
    public void threadSeen(int thread, int tid) {
        threads.seen(thread, tid);
    }

    @Override
    public void threadNamed(int thread, String name) {
        threads.named(thread, name);
    }

    @Override
    public void threadEnded(int thread) {
        threads.ended(thread);
    }
}
