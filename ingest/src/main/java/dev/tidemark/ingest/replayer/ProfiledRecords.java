package dev.tidemark.ingest.replayer;

import dev.tidemark.schemas.EventColumns;
import dev.tidemark.schemas.Operation;
import dev.tidemark.schemas.avro.ThreadInfo;
import java.io.IOException;

/** A profiled round as the recording's own events, each with the duration that it had here. */
final class ProfiledRecords implements SourceRecording.Visitor {
    private static final int MAX_EVENTS = 24_000;

    private final ReplayCursor cursor;
    private final ReplayResult result;
    private final boolean isTouched;
    private final SessionWriter writer;
    private final MemoryRecords memory;
    private final EventColumns out = new EventColumns();
    private final LiveSizes live = new LiveSizes();
    private long events;
    private long blocks;

    ProfiledRecords(
            ReplayCursor cursor,
            ReplayResult result,
            boolean isTouched,
            SessionWriter writer,
            MemoryRecords memory) {
        this.cursor = cursor;
        this.result = result;
        this.isTouched = isTouched;
        this.writer = writer;
        this.memory = memory;
    }

    /** How many events were sent. */
    long events() {
        return events;
    }

    @Override
    public void thread(ThreadInfo info) throws IOException {
        writer.send(info);
    }

    @Override
    public void events(EventColumns in) throws IOException {
        memory.sendBefore(in.firstTimeNs());
        begin(in, in.firstTimeNs(), in.droppedBefore());
        for (int i = 0; i < in.size(); i++) {
            if (out.size() >= MAX_EVENTS) {
                send();
                begin(in, in.timeNs(i), 0);
            }
            copy(in, i);
        }
        if (out.size() > 0 || out.droppedBefore() > 0) {
            send();
        }
    }

    private void begin(EventColumns in, long firstNs, long droppedBefore) {
        out.begin(events, blocks, firstNs, live.bytes(), live.blocks(), droppedBefore);
        out.timeInversions(in.timeInversions());
        out.isDropping(in.isDropping());
    }

    private void send() throws IOException {
        writer.send(out);
        events += out.size();
        blocks = out.nextBlock();
    }

    private void copy(EventColumns in, int i) throws IOException {
        int operation = in.operation(i);
        int thread = in.thread(i);
        long timeNs = in.timeNs(i);
        switch (operation) {
            case Operation.FRAME, Operation.TICK -> {
                cursor.enter(in, i);
                out.addMark(operation, thread, timeNs);
                out.addInvoluntarySwitches(cursor.switches());
            }
            case Operation.PHASE -> out.addPhase(thread, timeNs, in.name(i));
            case Operation.VALUE -> out.addValue(thread, timeNs, in.name(i), in.value(i));
            default -> {
                if (RecordedCall.isReplayed(in, i)) {
                    cursor.enter(in, i);
                    call(in, i, cursor.nextCall(thread));
                }
            }
        }
    }

    private void call(EventColumns in, int i, int call) {
        int operation = in.operation(i);
        int thread = in.thread(i);
        long timeNs = in.timeNs(i);
        long durationNs = result.callNs(call);
        boolean isMade = RecordedCall.makesBlock(in, i);
        live.take(in, i);
        if (operation == Operation.REALLOC) {
            long released = in.released(i) >= 0 ? in.released(i) : EventColumns.NO_BLOCK;
            out.addReallocation(thread, timeNs, durationNs, in.sizeBytes(i), isMade, released);
        } else if (Operation.asksForBlock(operation)) {
            out.addAllocation(
                    operation,
                    thread,
                    timeNs,
                    durationNs,
                    in.sizeBytes(i),
                    in.alignmentBytes(i),
                    isMade);
        } else if (operation == Operation.TRIM) {
            out.addTrim(thread, timeNs, durationNs, EventColumns.UNKNOWN_BYTES);
        } else {
            out.addRelease(operation, thread, timeNs, durationNs, in.released(i));
        }
        if (isMade && isTouched) {
            out.addFirstWrite(result.firstWriteNs(call));
        }
    }
}
