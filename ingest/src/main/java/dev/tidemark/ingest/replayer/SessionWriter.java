package dev.tidemark.ingest.replayer;

import dev.tidemark.schemas.EventColumns;
import dev.tidemark.schemas.RecordingWriter;
import dev.tidemark.schemas.TraceEncoder;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.apache.avro.specific.SpecificRecord;

/**
 * Numbers one session's records and writes them into a recording, which appears when it is whole.
 */
final class SessionWriter implements Closeable {
    private final String sessionId;
    private final Path path;
    private final Path unfinished;
    private final RecordingWriter file;
    private final TraceEncoder encoder = new TraceEncoder();
    private long seq;

    SessionWriter(String sessionId, Path path) throws IOException {
        this.sessionId = sessionId;
        this.path = path;
        unfinished = path.resolveSibling(path.getFileName() + ".part");
        file = new RecordingWriter(unfinished);
    }

    void send(SpecificRecord payload) throws IOException {
        file.append(encoder.encode(sessionId, 0, seq++, payload));
    }

    void send(EventColumns events) throws IOException {
        file.append(encoder.encode(sessionId, 0, seq++, events));
    }

    /** Ends it; without this nothing is left behind. */
    void finish() throws IOException {
        file.close();
        Files.move(unfinished, path, StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    public void close() throws IOException {
        file.close();
        Files.deleteIfExists(unfinished);
    }
}
