package dev.tidemark.ingest.agent;

import dev.tidemark.ingest.sink.TraceSink;
import dev.tidemark.schemas.EventColumns;
import dev.tidemark.schemas.Operation;
import dev.tidemark.schemas.SchemaCatalog;
import dev.tidemark.schemas.TraceDecoder;
import dev.tidemark.schemas.TraceEnvelope;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;

/** Keeps what was sent, and takes it apart with the stream's own decoder. */
final class SentRecords implements TraceSink {
    /** One event as it arrived. */
    record Event(
            int operation,
            int thread,
            long timeNs,
            long durationNs,
            long sizeBytes,
            long alignmentBytes,
            long made,
            long released,
            String name,
            double value,
            long returnedBytes) {}

    /** One session as it arrived. */
    static final class Session {
        final List<Event> events = new ArrayList<>();
        final List<Object> payloads = new ArrayList<>();
        final List<Long> seqs = new ArrayList<>();
        final List<long[]> heads = new ArrayList<>();
        final List<Integer> blockSizes = new ArrayList<>();
        long droppedBefore;
        long timeInversions;

        <T> List<T> payloads(Class<T> type) {
            return payloads.stream().filter(type::isInstance).map(type::cast).toList();
        }

        long count(int operation) {
            return events.stream().filter(event -> event.operation() == operation).count();
        }
    }

    private final TraceDecoder decoder = new TraceDecoder(new SchemaCatalog());
    final Map<String, Session> sessions = new HashMap<>();
    final List<byte[]> records = new ArrayList<>();

    @Override
    public synchronized void send(String sessionId, String type, byte[] record) throws IOException {
        records.add(record);
        TraceEnvelope envelope = decoder.readEnvelope(record);
        Session session = sessions.computeIfAbsent(envelope.sessionId(), id -> new Session());
        session.seqs.add(envelope.seq());
        if (!envelope.isEventBlock()) {
            session.payloads.add(decoder.readPayload(envelope));
            return;
        }
        EventColumns columns = new EventColumns();
        decoder.readEvents(envelope, columns);
        session.heads.add(
                new long[] {
                    columns.firstEvent(),
                    columns.firstBlock(),
                    columns.firstTimeNs(),
                    columns.liveBytes(),
                    columns.liveBlocks(),
                    columns.droppedBefore()
                });
        session.blockSizes.add(columns.size());
        session.droppedBefore += columns.droppedBefore();
        session.timeInversions = columns.timeInversions();
        for (int i = 0; i < columns.size(); i++) {
            session.events.add(event(columns, i));
        }
    }

    private static Event event(EventColumns columns, int i) {
        int operation = columns.operation(i);
        boolean isNamed = operation == Operation.PHASE || operation == Operation.VALUE;
        return new Event(
                operation,
                columns.thread(i),
                columns.timeNs(i),
                columns.durationNs(i),
                columns.sizeBytes(i),
                columns.alignmentBytes(i),
                columns.made(i),
                columns.released(i),
                isNamed ? columns.name(i) : "",
                operation == Operation.VALUE ? columns.value(i) : 0,
                columns.returnedBytes(i));
    }

    /** The only session. */
    Session only() {
        if (sessions.size() != 1) {
            throw new IllegalStateException(sessions.size() + " sessions, not one");
        }
        return sessions.values().iterator().next();
    }

    @Override
    public void publishSchema(Schema schema) {}

    @Override
    public void flush() {}

    @Override
    public void close() {}
}
