package dev.tidemark.ingest.agent;

import dev.tidemark.ingest.sink.TraceSink;
import dev.tidemark.schemas.EventColumns;
import dev.tidemark.schemas.Operation;
import dev.tidemark.schemas.SchemaCatalog;
import dev.tidemark.schemas.TraceDecoder;
import dev.tidemark.schemas.TraceEncoder;
import dev.tidemark.schemas.avro.SessionStart;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Queue;
import org.apache.avro.specific.SpecificRecord;

/**
 * Numbers the records of one session and sends them. Until {@link #open} it holds them back, as the
 * first record must say what marks frames and ticks. One thread.
 */
final class RecordOutput {
    private static final String EVENT_BLOCK = "EventBlock";
    private static final int PAYLOAD_BYTES = 256;

    private final String sessionId;
    private final long epoch;
    private final TraceSink sink;
    private final TraceEncoder encoder = new TraceEncoder();

    /** Blocks as bytes, which are small, and other payloads as they are. */
    private final Queue<Object> held = new ArrayDeque<>();

    private long heldBytes;
    private boolean isOpen;
    private long seq;

    RecordOutput(String sessionId, long epoch, TraceSink sink) {
        this.sessionId = sessionId;
        this.epoch = epoch;
        this.sink = sink;
    }

    boolean isOpen() {
        return isOpen;
    }

    /** What is held back. */
    long heldBytes() {
        return heldBytes;
    }

    /** Sends a block of events, which may be used again afterwards. */
    void send(EventColumns events) throws IOException {
        byte[] record = encoder.encode(sessionId, epoch, seq, events);
        if (isOpen) {
            deliver(EVENT_BLOCK, record);
        } else {
            held.add(record);
            heldBytes += record.length;
        }
    }

    /** Sends any other payload. */
    void send(SpecificRecord payload) throws IOException {
        if (isOpen) {
            deliver(payload.getSchema().getName(), encoder.encode(sessionId, epoch, seq, payload));
        } else {
            held.add(payload);
            heldBytes += PAYLOAD_BYTES;
        }
    }

    private void deliver(String type, byte[] record) throws IOException {
        sink.send(sessionId, type, record);
        seq++;
    }

    /**
     * Begins the stream and sends what was held back, with the marks of fixed periods put in.
     *
     * @return how many marks that were
     */
    long open(SessionStart start, MarkTracks tracks) throws IOException {
        isOpen = true;
        send(start);
        TraceDecoder decoder = new TraceDecoder(new SchemaCatalog());
        EventColumns from = new EventColumns();
        EventColumns into = new EventColumns();
        long marks = 0;
        for (Object record = held.poll(); record != null; record = held.poll()) {
            if (record instanceof byte[] bytes) {
                decoder.readEvents(decoder.readEnvelope(bytes), from);
                marks += withMarks(from, marks, tracks, into);
                send(into);
            } else {
                send((SpecificRecord) record);
            }
        }
        heldBytes = 0;
        return marks;
    }

    /** Copies a block with the fixed marks up to its last event put in; returns how many. */
    private static long withMarks(
            EventColumns from, long marksBefore, MarkTracks tracks, EventColumns into) {
        into.begin(
                from.firstEvent() + marksBefore,
                from.firstBlock(),
                Math.min(from.firstTimeNs(), tracks.nextNs()),
                from.liveBytes(),
                from.liveBlocks(),
                from.droppedBefore());
        into.timeInversions(from.timeInversions());
        long marks = 0;
        for (int i = 0; i < from.size(); i++) {
            while (tracks.nextNs() <= from.timeNs(i)) {
                long timeNs = tracks.nextNs();
                into.addMark(tracks.next(), 0, timeNs);
                marks++;
            }
            copy(from, i, into);
        }
        return marks;
    }

    private static void copy(EventColumns from, int i, EventColumns into) {
        int operation = from.operation(i);
        int thread = from.thread(i);
        long timeNs = from.timeNs(i);
        long durationNs = from.durationNs(i);
        switch (operation) {
            case Operation.REALLOC ->
                    into.addReallocation(
                            thread,
                            timeNs,
                            durationNs,
                            from.sizeBytes(i),
                            from.made(i) != EventColumns.NO_BLOCK,
                            from.released(i));
            case Operation.FREE, Operation.DELETE, Operation.MISSED_FREE ->
                    into.addRelease(operation, thread, timeNs, durationNs, from.released(i));
            case Operation.FRAME, Operation.TICK -> into.addMark(operation, thread, timeNs);
            case Operation.PHASE -> into.addPhase(thread, timeNs, from.name(i));
            case Operation.VALUE -> into.addValue(thread, timeNs, from.name(i), from.value(i));
            case Operation.TRIM -> into.addTrim(thread, timeNs, durationNs, from.returnedBytes(i));
            default ->
                    into.addAllocation(
                            operation,
                            thread,
                            timeNs,
                            durationNs,
                            from.sizeBytes(i),
                            from.alignmentBytes(i),
                            from.made(i) != EventColumns.NO_BLOCK);
        }
    }
}
