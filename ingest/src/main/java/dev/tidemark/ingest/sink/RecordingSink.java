package dev.tidemark.ingest.sink;

import dev.tidemark.schemas.RecordingWriter;
import dev.tidemark.schemas.TraceSchemas;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.avro.Schema;

/** Writes the records of all sessions into one recording. */
public final class RecordingSink implements TraceSink {
    private final Path path;
    private final RecordingWriter writer;

    /**
     * Begins the recording, in place of a file that may be there.
     *
     * @throws IOException when it can't be made
     */
    public RecordingSink(Path path) throws IOException {
        this.path = path;
        writer = new RecordingWriter(path);
    }

    @Override
    public synchronized void send(String sessionId, String type, byte[] record) throws IOException {
        writer.append(record);
    }

    @Override
    public void publishSchema(Schema schema) throws IOException {
        if (!schema.equals(TraceSchemas.CURRENT)) {
            throw new IOException(
                    path
                            + ": a recording has one schema, and "
                            + schema.getFullName()
                            + " of another version is not it: send to a broker instead");
        }
    }

    @Override
    public synchronized void flush() throws IOException {
        writer.flush();
    }

    @Override
    public synchronized void close() throws IOException {
        writer.close();
    }
}
