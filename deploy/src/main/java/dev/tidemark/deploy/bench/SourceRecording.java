package dev.tidemark.deploy.bench;

import dev.tidemark.deploy.Failure;
import dev.tidemark.schemas.EventColumns;
import dev.tidemark.schemas.Operation;
import dev.tidemark.schemas.RecordingReader;
import dev.tidemark.schemas.SchemaCatalog;
import dev.tidemark.schemas.TraceDecoder;
import dev.tidemark.schemas.TraceEnvelope;
import dev.tidemark.schemas.avro.SessionStart;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * What a recording that is to be replayed holds.
 *
 * @param sessionId of the one session in it
 * @param title of it
 * @param calls of the allocator
 * @param threads that made them
 * @param marks of frames and ticks
 * @param duration from start to the last event
 */
public record SourceRecording(
        String sessionId, String title, long calls, int threads, long marks, Duration duration) {

    /**
     * Reads it through; no recording, several sessions, no calls are a {@link Failure}.
     *
     * @param needsTimes whether it is replayed at its own pace
     */
    public static SourceRecording read(Path file, boolean needsTimes) throws IOException {
        Reading reading = new Reading();
        TraceDecoder decoder = new TraceDecoder(new SchemaCatalog());
        SchemaCatalog schemas = new SchemaCatalog();
        EventColumns events = new EventColumns();
        try (RecordingReader reader = new RecordingReader(file, schemas)) {
            decoder = new TraceDecoder(schemas);
            for (byte[] bytes = reader.next(); bytes != null; bytes = reader.next()) {
                TraceEnvelope record = decoder.readEnvelope(bytes);
                if (record.isEventBlock()) {
                    decoder.readEvents(record, events);
                    reading.add(events);
                } else if (record.isKnownPayload()
                        && decoder.readPayload(record) instanceof SessionStart start) {
                    reading.begin(file, record.sessionId(), start);
                }
            }
        }
        return reading.checked(file, needsTimes);
    }

    /** One that is under way. */
    private static final class Reading {
        private @Nullable String sessionId;
        private String title = "";
        private final BitSet threads = new BitSet();
        private long calls;
        private long marks;
        private long lastNs;

        void begin(Path file, String id, SessionStart start) {
            if (sessionId != null && !sessionId.equals(id)) {
                throw Failure.badInput(
                        "%s: holds several sessions, %s and %s among them; a bench replays one"
                                .formatted(file, sessionId, id));
            }
            sessionId = id;
            title = start.getTitle();
        }

        void add(EventColumns events) {
            for (int i = 0; i < events.size(); i++) {
                int operation = events.operation(i);
                if (operation == Operation.FRAME || operation == Operation.TICK) {
                    marks++;
                } else if (operation >= Operation.MALLOC && operation <= Operation.DELETE) {
                    calls++;
                    threads.set(events.thread(i));
                }
                lastNs = Math.max(lastNs, events.timeNs(i));
            }
        }

        SourceRecording checked(Path file, boolean needsTimes) {
            if (sessionId == null) {
                throw Failure.badInput(file + ": holds no session's start; nothing to replay");
            }
            if (calls == 0) {
                throw Failure.badInput(
                        file + ": 0 calls of an allocator in it; record a program that allocates");
            }
            if (needsTimes && lastNs == 0) {
                throw Failure.badInput(file + ": has no times to keep; replay it with --pace none");
            }
            return new SourceRecording(
                    sessionId,
                    title,
                    calls,
                    threads.cardinality(),
                    marks,
                    Duration.ofNanos(lastNs));
        }
    }
}
