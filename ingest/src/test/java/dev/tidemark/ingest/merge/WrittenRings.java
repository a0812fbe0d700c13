package dev.tidemark.ingest.merge;

import dev.tidemark.ingest.ring.RecordDescriptor;
import dev.tidemark.ingest.ring.RingFile;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/**
 * A ring file written as record_format.h says, with offsets of its own, by a recorder that a test
 * moves step by step. One stamp is one nanosecond.
 */
final class WrittenRings implements AutoCloseable {
    static final long START = 1_000_000;

    private static final int HEADER = 32768;
    private final int ringRecords;
    private final int stride;
    private final MappedByteBuffer memory;
    private final RingFile file;

    WrittenRings(Path path, int rings, int ringRecords) throws IOException {
        this.ringRecords = ringRecords;
        stride = (4096 + ringRecords * 32 + 4095) / 4096 * 4096;
        try (RandomAccessFile made = new RandomAccessFile(path.toFile(), "rw")) {
            made.setLength(HEADER + (long) rings * stride);
            memory =
                    made.getChannel()
                            .map(FileChannel.MapMode.READ_WRITE, 0, HEADER + (long) rings * stride);
        }
        memory.order(ByteOrder.LITTLE_ENDIAN);
        memory.put(0, "TIDEMARK".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        memory.putInt(8, 1);
        memory.putInt(12, HEADER);
        memory.putInt(16, 1);
        memory.putInt(24, 77);
        memory.putLong(32, 1);
        memory.putInt(40, 2);
        memory.putInt(56, rings);
        memory.putInt(60, ringRecords);
        memory.putLong(64, HEADER);
        memory.putLong(72, stride);
        memory.putLong(80, 1_000_000_000L);
        memory.putLong(88, START);
        memory.putLong(256, rings);
        file = RingFile.open(path);
    }

    RingFile file() {
        return file;
    }

    /** The bytes, to be broken. */
    ByteBuffer memory() {
        return memory;
    }

    StampClock clock() {
        return new StampClock(START, file.start(), file.stampsPerSecond());
    }

    private int ring(int ring) {
        return HEADER + ring * stride;
    }

    long head(int ring) {
        return memory.getLong(ring(ring) + 128);
    }

    void head(int ring, long head) {
        memory.putLong(ring(ring) + 128, head);
    }

    long tail(int ring) {
        return memory.getLong(ring(ring) + 256);
    }

    void startAt(int ring, long index) {
        memory.putLong(ring(ring) + 128, index);
        memory.putLong(ring(ring) + 256, index);
    }

    int room(int ring) {
        return (int) (ringRecords - (head(ring) - tail(ring)));
    }

    void owner(int ring, long owner, int tid) {
        memory.putLong(ring(ring), owner);
        memory.putInt(ring(ring) + 8, tid);
    }

    long owner(int ring) {
        return memory.getLong(ring(ring));
    }

    void inflight(int ring, long stamp) {
        memory.putLong(ring(ring) + 136, stamp);
    }

    /** Writes records and then publishes them together. */
    void put(int ring, Written... records) {
        long head = head(ring);
        for (Written record : records) {
            int at = ring(ring) + 4096 + (int) (head++ % ringRecords) * 32;
            memory.putLong(at, record.begin());
            memory.putLong(
                    at + 8, (long) record.operation() << 56 | record.returned() - record.begin());
            memory.putLong(at + 16, record.address());
            memory.putLong(at + 24, record.size());
        }
        head(ring, head);
    }

    /** A record, by when its call began and returned. */
    record Written(int operation, long begin, long returned, long address, long size) {
        static Written malloc(long begin, long returned, long address, long size) {
            return new Written(RecordDescriptor.MALLOC, begin, returned, address, size);
        }

        static Written free(long begin, long returned, long address) {
            return new Written(RecordDescriptor.FREE, begin, returned, address, 0);
        }

        static Written reallocFrom(long begin, long returned, long address) {
            return new Written(RecordDescriptor.REALLOC_FROM, begin, returned, address, 0);
        }

        static Written realloc(long begin, long returned, long address, long size) {
            return new Written(RecordDescriptor.REALLOC, begin, returned, address, size);
        }

        static Written thread(long at, long serial) {
            return new Written(RecordDescriptor.THREAD, at, at, serial, 100 + serial);
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
