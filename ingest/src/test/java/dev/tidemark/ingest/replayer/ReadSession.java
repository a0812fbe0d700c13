package dev.tidemark.ingest.replayer;

import dev.tidemark.schemas.EventColumns;
import dev.tidemark.schemas.Operation;
import dev.tidemark.schemas.RecordingReader;
import dev.tidemark.schemas.SchemaCatalog;
import dev.tidemark.schemas.TraceDecoder;
import dev.tidemark.schemas.TraceEnvelope;
import dev.tidemark.schemas.avro.MarkCounters;
import dev.tidemark.schemas.avro.SessionEnd;
import dev.tidemark.schemas.avro.SessionStart;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A recording taken apart with the stream's own decoder. */
final class ReadSession {
    record Event(
            int operation,
            int thread,
            long timeNs,
            long sizeBytes,
            long alignmentBytes,
            long made,
            long released) {}

    final List<Object> payloads = new ArrayList<>();
    final List<Event> events = new ArrayList<>();
    final List<Long> durationsNs = new ArrayList<>();
    final List<Long> firstWritesNs = new ArrayList<>();

    /** By frame: the longest call. */
    final List<Long> longestNs = new ArrayList<>(List.of(0L));

    boolean isFirstWriteTimed;
    boolean areSwitchesCounted = true;

    static ReadSession of(Path path) throws IOException {
        ReadSession session = new ReadSession();
        SchemaCatalog schemas = new SchemaCatalog();
        TraceDecoder decoder = new TraceDecoder(schemas);
        EventColumns columns = new EventColumns();
        long seq = 0;
        try (RecordingReader reader = new RecordingReader(path, schemas)) {
            for (byte[] record = reader.next(); record != null; record = reader.next()) {
                TraceEnvelope envelope = decoder.readEnvelope(record);
                if (envelope.seq() != seq++) {
                    throw new IllegalStateException("seq " + envelope.seq());
                }
                if (envelope.isEventBlock()) {
                    decoder.readEvents(envelope, columns);
                    session.take(columns);
                } else {
                    session.payloads.add(decoder.readPayload(envelope));
                }
            }
        }
        return session;
    }

    private void take(EventColumns columns) {
        if (columns.firstEvent() != events.size()) {
            throw new IllegalStateException("first event " + columns.firstEvent());
        }
        isFirstWriteTimed |= columns.isFirstWriteTimed();
        for (int i = 0; i < columns.size(); i++) {
            events.add(
                    new Event(
                            columns.operation(i),
                            columns.thread(i),
                            columns.timeNs(i),
                            columns.sizeBytes(i),
                            columns.alignmentBytes(i),
                            columns.made(i),
                            columns.released(i)));
            durationsNs.add(columns.durationNs(i));
            firstWritesNs.add(columns.firstWriteNs(i));
            if (Operation.isSpanMark(columns.operation(i))) {
                longestNs.add(0L);
                areSwitchesCounted &= columns.areSwitchesCounted();
            }
            int frame = longestNs.size() - 1;
            longestNs.set(frame, Math.max(longestNs.get(frame), columns.durationNs(i)));
        }
    }

    <T> List<T> payloads(Class<T> type) {
        return payloads.stream().filter(type::isInstance).map(type::cast).toList();
    }

    SessionStart start() {
        return (SessionStart) payloads.get(0);
    }

    SessionEnd end() {
        return (SessionEnd) payloads.get(payloads.size() - 1);
    }

    List<MarkCounters> marks() {
        return payloads(MarkCounters.class);
    }
}
