package dev.tidemark.schemas;

import java.io.Closeable;
import java.io.Flushable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.avro.file.CodecFactory;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericDatumWriter;

/**
 * Writes a recording: an Avro object container file (zstd) of trace records, which any Avro tool
 * opens. Large records are written out at once, small ones together, so that what a killed writer
 * leaves ends at most 256 KiB of records early. One thread.
 */
public final class RecordingWriter implements Closeable, Flushable {
    private static final int SYNC_INTERVAL_BYTES = 256 << 10;
    private static final int ZSTD_LEVEL = 3;

    private final DataFileWriter<Object> file;

    /**
     * Begins a recording, in place of a file that may be there.
     *
     * @throws IOException when the file can't be made
     */
    public RecordingWriter(Path path) throws IOException {
        file = new DataFileWriter<>(new GenericDatumWriter<>(TraceSchemas.CURRENT));
        file.setCodec(CodecFactory.zstandardCodec(ZSTD_LEVEL, true));
        file.setSyncInterval(SYNC_INTERVAL_BYTES);
        file.create(TraceSchemas.CURRENT, Files.newOutputStream(path));
    }

    /**
     * Adds a record.
     *
     * @param record the record in single-object encoding, as {@link TraceEncoder} writes it
     * @throws IllegalArgumentException when another schema wrote it: a container file has one
     *     schema
     */
    public void append(byte[] record) throws IOException {
        if (!TraceSchemas.hasMarker(record)
                || TraceSchemas.fingerprintOf(record) != TraceSchemas.CURRENT_FINGERPRINT) {
            throw new IllegalArgumentException(
                    "the record was not written with schema "
                            + TraceSchemas.fingerprintKey(TraceSchemas.CURRENT_FINGERPRINT)
                            + ", which this recording has");
        }
        file.appendEncoded(
                ByteBuffer.wrap(
                        record,
                        TraceSchemas.HEADER_BYTES,
                        record.length - TraceSchemas.HEADER_BYTES));
    }

    /** Makes everything so far readable in the file. */
    @Override
    public void flush() throws IOException {
        file.flush();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
