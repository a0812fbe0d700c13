package dev.tidemark.schemas;

import java.util.ArrayList;
import java.util.List;

/**
 * Event columns to and from the Avro encoding of {@code EventBlock}, without boxing. The field
 * order is the schema's, and a test compares both directions with Avro's own reader and writer.
 */
final class EventBlockCodec {
    /**
     * More events than a block can have: 256 KiB at one byte an event for each of the four dense
     * columns, with room.
     */
    static final int MAX_EVENTS = 1 << 20;

    /** From here on a block's ordinals don't overflow. */
    private static final long MAX_ORDINAL = Long.MAX_VALUE - MAX_EVENTS;

    private static final int WIRE_NONE = 0;
    private static final int WIRE_UNKNOWN = -1;
    private static final int WIRE_PREEXISTING = -2;

    private final LongColumn operation = new LongColumn("operation");
    private final LongColumn thread = new LongColumn("thread");
    private final LongColumn threadRun = new LongColumn("thread_run");
    private final LongColumn timeDelta = new LongColumn("time_delta_ns");
    private final LongColumn duration = new LongColumn("duration_ns");
    private final LongColumn sizeBytes = new LongColumn("size_bytes");
    private final LongColumn alignment = new LongColumn("alignment_bytes");
    private final LongColumn release = new LongColumn("release");
    private final List<String> names = new ArrayList<>();
    private final LongColumn values = new LongColumn("value");
    private final LongColumn returned = new LongColumn("returned_bytes");
    private final LongColumn firstWrite = new LongColumn("first_write_ns");
    private final LongColumn switches = new LongColumn("involuntary_switches");

    /** Writes the columns as an {@code EventBlock}. */
    void write(EventColumns events, AvroBuffer out) {
        split(events);
        out.writeLong(events.firstEvent());
        out.writeLong(events.firstBlock());
        out.writeLong(events.firstTimeNs());
        out.writeLong(events.liveBytes());
        out.writeLong(events.liveBlocks());
        out.writeLong(events.droppedBefore());
        out.writeLong(events.timeInversions());
        for (LongColumn column : wireOrder()) {
            column.writeLongs(out);
        }
        out.beginArray(names.size());
        names.forEach(out::writeString);
        out.endArray();
        values.writeDoubles(out);
        returned.writeLongs(out);
        out.writeBoolean(events.isDropping());
        firstWrite.writeLongs(out);
        switches.writeLongs(out);
    }

    /** Reads an {@code EventBlock} of our own schema into the columns. */
    void read(AvroCursor in, EventColumns events) throws TraceFormatException {
        events.begin(
                in.readLong(),
                in.readLong(),
                in.readLong(),
                in.readLong(),
                in.readLong(),
                in.readLong());
        events.timeInversions(in.readLong());
        for (LongColumn column : wireOrder()) {
            column.readLongs(in);
        }
        names.clear();
        for (int count = in.readItemCount("name"); count > 0; count = in.readItemCount("name")) {
            for (int i = 0; i < count; i++) {
                names.add(in.readString());
            }
        }
        values.readDoubles(in);
        returned.readLongs(in);
        events.isDropping(in.readBoolean());
        firstWrite.readLongs(in);
        switches.readLongs(in);
        join(events);
    }

    /** Reads a block that Avro has resolved from another schema. */
    void convert(dev.tidemark.schemas.avro.EventBlock block, EventColumns events)
            throws TraceFormatException {
        events.begin(
                block.getFirstEvent(),
                block.getFirstBlock(),
                block.getFirstTimeNs(),
                block.getLiveBytes(),
                block.getLiveBlocks(),
                block.getDroppedBefore());
        events.timeInversions(block.getTimeInversions());
        operation.set(block.getOperation());
        thread.set(block.getThread());
        threadRun.set(block.getThreadRun());
        timeDelta.set(block.getTimeDeltaNs());
        duration.set(block.getDurationNs());
        sizeBytes.set(block.getSizeBytes());
        alignment.set(block.getAlignmentBytes());
        release.set(block.getRelease());
        names.clear();
        names.addAll(block.getName());
        values.clear();
        for (double value : block.getValue()) {
            values.add(Double.doubleToRawLongBits(value));
        }
        returned.set(block.getReturnedBytes());
        events.isDropping(block.getIsDropping());
        firstWrite.set(block.getFirstWriteNs());
        switches.set(block.getInvoluntarySwitches());
        join(events);
    }

    private LongColumn[] wireOrder() {
        return new LongColumn[] {
            operation, thread, threadRun, timeDelta, duration, sizeBytes, alignment, release
        };
    }

    private void split(EventColumns events) {
        for (LongColumn column : wireOrder()) {
            column.clear();
        }
        names.clear();
        values.clear();
        returned.clear();
        firstWrite.clear();
        switches.clear();
        long time = events.firstTimeNs();
        int runStart = 0;
        long nextBlock = events.firstBlock();
        for (int i = 0; i < events.size(); i++) {
            int code = events.operation(i);
            boolean madeBlock = events.made(i) != EventColumns.NO_BLOCK;
            boolean aligned = events.alignmentBytes(i) != 0;
            operation.add(
                    code
                            | (madeBlock ? 0 : Operation.NO_BLOCK_BIT)
                            | (aligned ? Operation.ALIGNMENT_BIT : 0));
            timeDelta.add(events.timeNs(i) - time);
            time = events.timeNs(i);
            duration.add(events.durationNs(i));
            if (Operation.asksForBlock(code)) {
                sizeBytes.add(events.sizeBytes(i));
            }
            if (aligned) {
                alignment.add(events.alignmentBytes(i));
            }
            if (Operation.mayRelease(code)) {
                release.add(distance(nextBlock, events.released(i)));
            }
            if (Operation.isNamed(code)) {
                names.add(events.name(i));
            }
            if (code == Operation.VALUE) {
                values.add(Double.doubleToRawLongBits(events.value(i)));
            }
            if (code == Operation.TRIM) {
                returned.add(events.returnedBytes(i));
            }
            if (madeBlock && events.isFirstWriteTimed()) {
                firstWrite.add(events.firstWriteNs(i));
            }
            if (Operation.isSpanMark(code) && events.areSwitchesCounted()) {
                switches.add(events.involuntarySwitches(i));
            }
            nextBlock += madeBlock ? 1 : 0;
            if (i + 1 == events.size() || events.thread(i + 1) != events.thread(i)) {
                thread.add(events.thread(i));
                threadRun.add(i + 1L - runStart);
                runStart = i + 1;
            }
        }
    }

    private static long distance(long nextBlock, long released) {
        if (released == EventColumns.NO_BLOCK) {
            return WIRE_NONE;
        }
        if (released == EventColumns.UNKNOWN_BLOCK) {
            return WIRE_UNKNOWN;
        }
        return released == EventColumns.PREEXISTING_BLOCK ? WIRE_PREEXISTING : nextBlock - released;
    }

    private void join(EventColumns events) throws TraceFormatException {
        checkHead(events);
        timeDelta.checkSize(operation.size(), "events");
        duration.checkSize(operation.size(), "events");
        threadRun.checkSize(thread.size(), "runs");
        long time = events.firstTimeNs();
        int run = -1;
        long runLeft = 0;
        int threadNumber = 0;
        int sizes = 0;
        int alignments = 0;
        int releases = 0;
        int named = 0;
        int valued = 0;
        int trims = 0;
        int firstWrites = 0;
        int marks = 0;
        for (int i = 0; i < operation.size(); i++) {
            long bits = operation.get(i);
            if ((bits & ~Operation.ALL_BITS) != 0) {
                throw new TraceFormatException(
                        "operation of event "
                                + i
                                + " is "
                                + bits
                                + ", not within 0 to "
                                + Operation.ALL_BITS);
            }
            if (runLeft == 0) {
                run++;
                runLeft = threadRun.getWithin(run, 1, operation.size() - i);
                threadNumber = (int) thread.getWithin(run, 0, Integer.MAX_VALUE);
            }
            runLeft--;
            int code = (int) bits & Operation.CODE_MASK;
            time = addTime(time, timeDelta.getWithin(i, 0, Long.MAX_VALUE), i);
            long took = duration.getWithin(i, 0, Long.MAX_VALUE);
            boolean madeBlock = (bits & Operation.NO_BLOCK_BIT) == 0;
            long alignmentOf =
                    (bits & Operation.ALIGNMENT_BIT) == 0
                            ? 0
                            : alignment.getWithin(alignments++, 0, Long.MAX_VALUE);
            if (Operation.asksForBlock(code)) {
                long asked = sizeBytes.get(sizes++);
                if (code == Operation.REALLOC) {
                    events.addReallocation(
                            threadNumber,
                            time,
                            took,
                            asked,
                            madeBlock,
                            released(events.nextBlock(), releases++));
                } else {
                    events.addAllocation(
                            code, threadNumber, time, took, asked, alignmentOf, madeBlock);
                }
                if (madeBlock && firstWrite.size() > 0) {
                    events.addFirstWrite(firstWrite.getWithin(firstWrites++, 0, Long.MAX_VALUE));
                }
            } else if (Operation.mayRelease(code)) {
                events.addRelease(
                        code, threadNumber, time, took, released(events.nextBlock(), releases++));
            } else if (code == Operation.PHASE) {
                events.addPhase(threadNumber, time, nameAt(named++));
            } else if (code == Operation.VALUE) {
                events.addValue(
                        threadNumber,
                        time,
                        nameAt(named++),
                        Double.longBitsToDouble(values.get(valued++)));
            } else if (code == Operation.TRIM) {
                events.addTrim(threadNumber, time, took, returned(trims++));
            } else {
                events.addMark(code, threadNumber, time);
                if (Operation.isSpanMark(code) && switches.size() > 0) {
                    events.addInvoluntarySwitches(switches.getWithin(marks++, 0, Long.MAX_VALUE));
                }
            }
        }
        threadRun.checkSize(run + 1, "runs used");
        sizeBytes.checkSize(sizes, "events with a size");
        alignment.checkSize(alignments, "events with an alignment");
        release.checkSize(releases, "releases");
        values.checkSize(valued, "values");
        returned.checkSize(returned.size() == 0 ? 0 : trims, "trims");
        firstWrite.checkSize(firstWrites, "blocks made");
        switches.checkSize(marks, "marks");
        if (named != names.size()) {
            throw new TraceFormatException(
                    "column name has " + names.size() + " entries for " + named + " named events");
        }
    }

    private static void checkHead(EventColumns events) throws TraceFormatException {
        if (events.firstEvent() < 0
                || events.firstBlock() < 0
                || events.firstTimeNs() < 0
                || events.droppedBefore() < 0) {
            throw new TraceFormatException(
                    "head of event block: first_event %d, first_block %d, first_time_ns %d, dropped_before %d; none may be below 0"
                            .formatted(
                                    events.firstEvent(),
                                    events.firstBlock(),
                                    events.firstTimeNs(),
                                    events.droppedBefore()));
        }
        if (events.firstEvent() > MAX_ORDINAL || events.firstBlock() > MAX_ORDINAL) {
            throw new TraceFormatException(
                    "head of event block: first_event %d, first_block %d; neither may be above %d"
                            .formatted(events.firstEvent(), events.firstBlock(), MAX_ORDINAL));
        }
    }

    private static long addTime(long time, long delta, int event) throws TraceFormatException {
        long sum = time + delta;
        if (sum < 0) {
            throw new TraceFormatException(
                    "time of event " + event + " overflows: " + time + " + " + delta + " ns");
        }
        return sum;
    }

    private long released(long nextBlock, int index) throws TraceFormatException {
        long distance = release.getWithin(index, WIRE_PREEXISTING, nextBlock);
        if (distance > 0) {
            return nextBlock - distance;
        }
        if (distance == WIRE_NONE) {
            return EventColumns.NO_BLOCK;
        }
        return distance == WIRE_UNKNOWN
                ? EventColumns.UNKNOWN_BLOCK
                : EventColumns.PREEXISTING_BLOCK;
    }

    /** Recordings made before trims were measured have none. */
    private long returned(int index) throws TraceFormatException {
        return returned.size() == 0 ? EventColumns.UNKNOWN_BYTES : returned.get(index);
    }

    private String nameAt(int index) throws TraceFormatException {
        if (index >= names.size()) {
            throw new TraceFormatException(
                    "column name ends after "
                            + names.size()
                            + " entries, but event "
                            + index
                            + " has a name");
        }
        return names.get(index);
    }
}
