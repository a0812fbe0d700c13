package dev.tidemark.ingest.sink;

import dev.tidemark.schemas.RecordingWriter;
import dev.tidemark.schemas.TraceSchemas;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Writes the records of all sessions into one recording. The file is made with the first record: a
 * program that could not be run or recorded leaves an older recording of that name alone.
 */
public final class RecordingSink implements TraceSink {
    private final Path path;
    private @Nullable RecordingWriter writer;

    /**
     * Makes ready to write a recording, in place of a file that may be there.
     *
     * @throws IOException when it can't be made there
     */
    public RecordingSink(Path path) throws IOException {
        this.path = path;
        Path folder = path.toAbsolutePath().getParent();
        if (folder == null || Files.isDirectory(path) || !Files.isDirectory(folder)) {
            throw new IOException(path + ": its folder does not exist, or it is a folder itself");
        }
        if (!Files.isWritable(Files.exists(path) ? path : folder)) {
            throw new IOException(path + ": permission denied");
        }
    }

    @Override
    public synchronized void send(String sessionId, String type, byte[] record) throws IOException {
        if (writer == null) {
            writer = new RecordingWriter(path);
        }
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
        if (writer != null) {
            writer.flush();
        }
    }

    @Override
    public synchronized void close() throws IOException {
        if (writer != null) {
            writer.close();
        }
    }
}
