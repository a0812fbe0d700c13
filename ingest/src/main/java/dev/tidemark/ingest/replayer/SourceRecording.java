package dev.tidemark.ingest.replayer;

import dev.tidemark.schemas.EventColumns;
import dev.tidemark.schemas.RecordingReader;
import dev.tidemark.schemas.SchemaCatalog;
import dev.tidemark.schemas.TraceDecoder;
import dev.tidemark.schemas.TraceEnvelope;
import dev.tidemark.schemas.TraceFormatException;
import dev.tidemark.schemas.avro.Detail;
import dev.tidemark.schemas.avro.SessionEnd;
import dev.tidemark.schemas.avro.SessionStart;
import dev.tidemark.schemas.avro.ThreadInfo;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The one session of a recording, read whole and in order, as often as is wanted. */
final class SourceRecording {
    /** What is told of it. */
    interface Visitor {
        /** A block of events, which is overwritten by the next. */
        void events(EventColumns events) throws IOException;

        /** A thread's name. */
        default void thread(ThreadInfo info) throws IOException {}
    }

    private final Path path;
    private @Nullable String sessionId;
    private @Nullable SessionStart start;
    private @Nullable SessionEnd end;

    SourceRecording(Path path) {
        this.path = path;
    }

    Path path() {
        return path;
    }

    /** The session's id, once it was read. */
    String sessionId() throws ReplayException {
        if (sessionId == null) {
            throw noSession();
        }
        return sessionId;
    }

    /** The session's first record, once it was read. */
    SessionStart start() throws ReplayException {
        if (start == null) {
            throw noSession();
        }
        return start;
    }

    /** The session's last record; null when the recording was cut before it. */
    @Nullable SessionEnd end() {
        return end;
    }

    private ReplayException noSession() {
        return bad("it has no session's start; record again");
    }

    ReplayException bad(String what) {
        return ReplayException.badInput(path + ": " + what);
    }

    /**
     * Reads it from its start to its end.
     *
     * @throws ReplayException when it is damaged, has a gap, several sessions, or no calls in it
     */
    void read(Visitor visitor) throws IOException {
        SchemaCatalog schemas = new SchemaCatalog();
        TraceDecoder decoder = new TraceDecoder(schemas);
        EventColumns events = new EventColumns();
        long nextSeq = 0;
        try (RecordingReader reader = new RecordingReader(path, schemas)) {
            for (byte[] record = reader.next(); record != null; record = reader.next()) {
                TraceEnvelope envelope = decoder.readEnvelope(record);
                requireOneSession(envelope);
                if (envelope.seq() < nextSeq) {
                    continue;
                }
                requireNoGap(envelope, nextSeq++);
                if (envelope.isEventBlock()) {
                    decoder.readEvents(envelope, events);
                    visitor.events(events);
                } else if (envelope.isKnownPayload()) {
                    other(decoder.readPayload(envelope), visitor);
                }
            }
        } catch (TraceFormatException e) {
            String text = String.valueOf(e.getMessage());
            throw ReplayException.badInput(
                    text.startsWith(path.toString()) ? text : path + ": " + text);
        }
    }

    private void requireOneSession(TraceEnvelope envelope) throws ReplayException {
        if (sessionId == null) {
            sessionId = envelope.sessionId();
        } else if (!sessionId.equals(envelope.sessionId())) {
            throw bad(
                    "it holds more than one session (%s and %s), and one is replayed at a time; record without --children"
                            .formatted(sessionId, envelope.sessionId()));
        }
    }

    private void requireNoGap(TraceEnvelope envelope, long seq) throws ReplayException {
        if (envelope.seq() != seq) {
            throw bad(
                    "records %d to %d of its session are missing, and a replay needs every one"
                            .formatted(seq, envelope.seq() - 1));
        }
    }

    private void other(Object payload, Visitor visitor) throws IOException {
        if (payload instanceof SessionStart first) {
            start = first;
            if (first.getDetail() == Detail.COUNTERS) {
                throw bad("it carries sums and no calls; record it with detail events");
            }
        } else if (payload instanceof SessionEnd last) {
            end = last;
        } else if (payload instanceof ThreadInfo info) {
            visitor.thread(info);
        }
    }
}
