package dev.tidemark.jobs.parquet;

import java.io.IOException;
import org.apache.flink.core.fs.FSDataOutputStream;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.PositionOutputStream;

/** Flink's stream as Parquet's file. Closing it leaves the stream open, which is Flink's. */
final class StreamOutputFile implements OutputFile {
    private static final long NO_BLOCK_SIZE = 0;

    private final FSDataOutputStream stream;

    StreamOutputFile(FSDataOutputStream stream) {
        this.stream = stream;
    }

    @Override
    public PositionOutputStream create(long blockSizeHint) {
        return new Positioned(stream);
    }

    @Override
    public PositionOutputStream createOrOverwrite(long blockSizeHint) {
        return create(blockSizeHint);
    }

    @Override
    public boolean supportsBlockSize() {
        return false;
    }

    @Override
    public long defaultBlockSize() {
        return NO_BLOCK_SIZE;
    }

    private static final class Positioned extends PositionOutputStream {
        private final FSDataOutputStream stream;

        Positioned(FSDataOutputStream stream) {
            this.stream = stream;
        }

        @Override
        public long getPos() throws IOException {
            return stream.getPos();
        }

        @Override
        public void write(int b) throws IOException {
            stream.write(b);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            stream.write(bytes, offset, length);
        }

        @Override
        public void flush() throws IOException {
            stream.flush();
        }

        @Override
        public void close() throws IOException {
            stream.flush();
        }
    }
}
