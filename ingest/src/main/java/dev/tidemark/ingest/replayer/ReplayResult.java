package dev.tidemark.ingest.replayer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A result file, mapped. Parts are indexed as a whole: thread by thread in the plan's order. A part
 * is mapped by itself, so that none may have more than 2 GiB.
 */
final class ReplayResult {
    private final Path path;
    private final ByteBuffer header;
    private final ByteBuffer threads;
    private final ByteBuffer stretches;
    private final ByteBuffer lags;
    private final ByteBuffer calls;
    private final ByteBuffer samples;

    private ReplayResult(Path path, FileChannel file) throws IOException {
        this.path = path;
        long bytes = file.size();
        if (bytes < ResultDescriptor.HEADER_BYTES) {
            throw bad(bytes + " bytes, fewer than a header's " + ResultDescriptor.HEADER_BYTES);
        }
        header = map(file, 0, ResultDescriptor.HEADER_BYTES, bytes);
        if (word(ResultDescriptor.HEADER_MAGIC) != ResultDescriptor.MAGIC
                || header.getInt(ResultDescriptor.HEADER_VERSION) != ResultDescriptor.VERSION
                || word(ResultDescriptor.HEADER_FILE_BYTES) != bytes) {
            throw bad("no result of version " + ResultDescriptor.VERSION + ", or a cut one");
        }
        threads =
                part(
                        file,
                        ResultDescriptor.HEADER_THREADS_OFFSET,
                        header.getInt(ResultDescriptor.HEADER_THREADS),
                        ResultDescriptor.THREAD_BYTES);
        stretches =
                part(
                        file,
                        ResultDescriptor.HEADER_STRETCHES_OFFSET,
                        word(ResultDescriptor.HEADER_STRETCHES),
                        ResultDescriptor.STRETCH_BYTES);
        lags =
                part(
                        file,
                        ResultDescriptor.HEADER_LAGS_OFFSET,
                        word(ResultDescriptor.HEADER_LAGS),
                        ResultDescriptor.LAG_BYTES);
        calls =
                part(
                        file,
                        ResultDescriptor.HEADER_CALLS_OFFSET,
                        word(ResultDescriptor.HEADER_CALLS),
                        ResultDescriptor.CALL_BYTES);
        samples =
                part(
                        file,
                        ResultDescriptor.HEADER_SAMPLES_OFFSET,
                        word(ResultDescriptor.HEADER_SAMPLES),
                        ResultDescriptor.SAMPLE_BYTES);
    }

    /** Opens a result; one that is none or cut is a {@link ReplayException}. */
    static ReplayResult open(Path path) throws IOException {
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ)) {
            return new ReplayResult(path, file);
        }
    }

    private ByteBuffer part(FileChannel file, int offsetAt, long count, int size)
            throws IOException {
        return map(file, word(offsetAt), Math.multiplyExact(count, (long) size), file.size());
    }

    private ByteBuffer map(FileChannel file, long offset, long bytes, long fileBytes)
            throws IOException {
        if (offset < 0 || bytes < 0 || offset > fileBytes - bytes || bytes > Integer.MAX_VALUE) {
            throw bad(
                    "a part of %d bytes at %d in a file of %d".formatted(bytes, offset, fileBytes));
        }
        MappedByteBuffer part = file.map(FileChannel.MapMode.READ_ONLY, offset, bytes);
        return part.order(ByteOrder.LITTLE_ENDIAN);
    }

    private ReplayException bad(String what) {
        return new ReplayException(ReplayException.Fault.INTERNAL, path + ": " + what);
    }

    private long word(int offset) {
        return header.getLong(offset);
    }

    private String text(int offset, int bytes) {
        byte[] text = new byte[bytes];
        header.get(offset, text);
        int length = 0;
        while (length < bytes && text[length] != 0) {
            length++;
        }
        return new String(text, 0, length, StandardCharsets.UTF_8);
    }

    /** Why the arm was refused; empty when it was not. */
    Optional<String> refusal() {
        return header.getInt(ResultDescriptor.HEADER_STATUS) == ResultDescriptor.REFUSED
                ? Optional.of(text(ResultDescriptor.HEADER_REASON, ResultDescriptor.REASON_BYTES))
                : Optional.empty();
    }

    /** The library that answered malloc; empty when unknown. */
    String allocator() {
        return text(ResultDescriptor.HEADER_ALLOCATOR, ResultDescriptor.ALLOCATOR_BYTES);
    }

    /** A figure of the header, or null when it was not measured. */
    @Nullable Long figure(int offset) {
        long value = word(offset);
        return value == ResultDescriptor.UNKNOWN ? null : value;
    }

    long startedRealtimeNs() {
        return word(ResultDescriptor.HEADER_STARTED_REALTIME_NS);
    }

    long durationNs() {
        return word(ResultDescriptor.HEADER_DURATION_NS);
    }

    /** Calls that took longer than can be told. */
    long longestCalls() {
        return word(ResultDescriptor.HEADER_LONGEST_CALLS);
    }

    int threads() {
        return threads.limit() / ResultDescriptor.THREAD_BYTES;
    }

    /** What a thread counted; all 0 in a plain round. */
    CallTotals counted(int thread) {
        int at = thread * ResultDescriptor.THREAD_BYTES;
        return new CallTotals(
                threads.getLong(at + ResultDescriptor.THREAD_ALLOC_CALLS),
                threads.getLong(at + ResultDescriptor.THREAD_FREE_CALLS),
                threads.getLong(at + ResultDescriptor.THREAD_REALLOC_CALLS),
                threads.getLong(at + ResultDescriptor.THREAD_FAILED_CALLS),
                threads.getLong(at + ResultDescriptor.THREAD_ALLOC_BYTES),
                threads.getLong(at + ResultDescriptor.THREAD_FREE_BYTES));
    }

    /** What all threads counted. */
    CallTotals counted() {
        CallTotals all = CallTotals.NONE;
        for (int i = 0; i < threads(); i++) {
            all = all.plus(counted(i));
        }
        return all;
    }

    /** Operations that a thread got through, in every round. */
    long operations(int thread) {
        return threads.getLong(
                thread * ResultDescriptor.THREAD_BYTES + ResultDescriptor.THREAD_OPERATIONS);
    }

    int stretches() {
        return stretches.limit() / ResultDescriptor.STRETCH_BYTES;
    }

    int span(int stretch) {
        return stretches.getInt(
                stretch * ResultDescriptor.STRETCH_BYTES + ResultDescriptor.STRETCH_SPAN);
    }

    long allocatorNs(int stretch) {
        return stretches.getLong(
                stretch * ResultDescriptor.STRETCH_BYTES + ResultDescriptor.STRETCH_ALLOCATOR_NS);
    }

    long involuntarySwitches(int stretch) {
        return Integer.toUnsignedLong(
                stretches.getInt(
                        stretch * ResultDescriptor.STRETCH_BYTES
                                + ResultDescriptor.STRETCH_INVOLUNTARY_SWITCHES));
    }

    int lags() {
        return lags.limit() / ResultDescriptor.LAG_BYTES;
    }

    long lagNs(int mark) {
        return lags.getLong(mark * ResultDescriptor.LAG_BYTES);
    }

    int calls() {
        return calls.limit() / ResultDescriptor.CALL_BYTES;
    }

    long callNs(int call) {
        return Integer.toUnsignedLong(
                calls.getInt(
                        call * ResultDescriptor.CALL_BYTES + ResultDescriptor.CALL_DURATION_NS));
    }

    long firstWriteNs(int call) {
        return Integer.toUnsignedLong(
                calls.getInt(
                        call * ResultDescriptor.CALL_BYTES + ResultDescriptor.CALL_FIRST_WRITE_NS));
    }

    int samples() {
        return samples.limit() / ResultDescriptor.SAMPLE_BYTES;
    }

    /** A field of a memory sample. */
    long sample(int sample, int field) {
        return samples.getLong(sample * ResultDescriptor.SAMPLE_BYTES + field);
    }
}
