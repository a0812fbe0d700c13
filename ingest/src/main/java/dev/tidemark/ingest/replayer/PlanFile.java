package dev.tidemark.ingest.replayer;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Writes a plan as {@link PlanDescriptor} says. */
final class PlanFile {
    private static final long THREAD_LINGERS_NS = 1_000_000_000L;
    private static final int MOST_LINGERING = 64;

    private final Planner planner;
    private final List<ThreadPlan> threads;

    /**
     * A file to be.
     *
     * @param threads those with operations, in the order in which they are started
     */
    PlanFile(Planner planner, List<ThreadPlan> threads) {
        this.planner = planner;
        this.threads = threads;
    }

    /** Writes it, in place of one that may be there. */
    void write(Path path) throws IOException {
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(path), 1 << 16)) {
            out.write(header());
            writeThreads(out);
            writeOperations(out);
            writeMarks(out);
            writeLeftovers(out);
        }
    }

    private static ByteBuffer view(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private byte[] header() {
        long operations = threads.stream().mapToLong(ThreadPlan::operations).sum();
        long leftovers = threads.stream().mapToLong(ThreadPlan::leftovers).sum();
        long threadsOffset = PlanDescriptor.HEADER_BYTES;
        long operationsOffset = threadsOffset + (long) threads.size() * PlanDescriptor.THREAD_BYTES;
        long marksOffset = operationsOffset + operations * PlanDescriptor.OPERATION_BYTES;
        long leftoversOffset = marksOffset + (long) planner.marks() * PlanDescriptor.MARK_BYTES;
        CallTotals totals = planner.totals();
        byte[] bytes = new byte[PlanDescriptor.HEADER_BYTES];
        view(bytes)
                .putLong(PlanDescriptor.HEADER_MAGIC, PlanDescriptor.MAGIC)
                .putInt(PlanDescriptor.HEADER_VERSION, PlanDescriptor.VERSION)
                .putInt(PlanDescriptor.HEADER_HEADER_BYTES, PlanDescriptor.HEADER_BYTES)
                .putLong(
                        PlanDescriptor.HEADER_FILE_BYTES,
                        leftoversOffset + leftovers * Integer.BYTES)
                .putInt(PlanDescriptor.HEADER_THREADS, threads.size())
                .putInt(PlanDescriptor.HEADER_MARKS, planner.marks())
                .putLong(PlanDescriptor.HEADER_OPERATIONS, operations)
                .putLong(PlanDescriptor.HEADER_CALLS, calls())
                .putLong(PlanDescriptor.HEADER_STRETCHES, stretches())
                .putLong(PlanDescriptor.HEADER_SLOTS, planner.slotCount())
                .putLong(PlanDescriptor.HEADER_LEFTOVERS, leftovers)
                .putLong(PlanDescriptor.HEADER_THREADS_OFFSET, threadsOffset)
                .putLong(PlanDescriptor.HEADER_OPERATIONS_OFFSET, operationsOffset)
                .putLong(PlanDescriptor.HEADER_MARKS_OFFSET, marksOffset)
                .putLong(PlanDescriptor.HEADER_LEFTOVERS_OFFSET, leftoversOffset)
                .putLong(PlanDescriptor.HEADER_DURATION_NS, planner.endNs())
                .putLong(PlanDescriptor.HEADER_PEAK_LIVE_BYTES, planner.peakLiveBytes())
                .putLong(PlanDescriptor.HEADER_ALLOC_CALLS, totals.allocCalls())
                .putLong(PlanDescriptor.HEADER_FREE_CALLS, totals.freeCalls())
                .putLong(PlanDescriptor.HEADER_REALLOC_CALLS, totals.reallocCalls())
                .putLong(PlanDescriptor.HEADER_FAILED_CALLS, totals.failedCalls())
                .putLong(PlanDescriptor.HEADER_ALLOC_BYTES, totals.allocBytes())
                .putLong(PlanDescriptor.HEADER_FREE_BYTES, totals.freeBytes());
        return bytes;
    }

    long calls() {
        return threads.stream().mapToLong(ThreadPlan::calls).sum();
    }

    long stretches() {
        return threads.stream().mapToLong(ThreadPlan::stretches).sum();
    }

    private void writeThreads(OutputStream out) throws IOException {
        long operation = 0;
        long call = 0;
        long stretch = 0;
        long leftover = 0;
        for (ThreadPlan thread : threads) {
            boolean isEnding =
                    threads.size() > MOST_LINGERING
                            || thread.endNs() < planner.endNs() - THREAD_LINGERS_NS;
            byte[] bytes = new byte[PlanDescriptor.THREAD_BYTES];
            view(bytes)
                    .putInt(PlanDescriptor.THREAD_NUMBER, thread.number())
                    .putInt(
                            PlanDescriptor.THREAD_ENDS,
                            isEnding && thread != threads.get(0) ? 1 : 0)
                    .putLong(PlanDescriptor.THREAD_FIRST_OPERATION, operation)
                    .putLong(PlanDescriptor.THREAD_OPERATIONS, thread.operations())
                    .putLong(PlanDescriptor.THREAD_FIRST_CALL, call)
                    .putLong(PlanDescriptor.THREAD_CALLS, thread.calls())
                    .putLong(PlanDescriptor.THREAD_FIRST_STRETCH, stretch)
                    .putLong(PlanDescriptor.THREAD_STRETCHES, thread.stretches())
                    .putLong(PlanDescriptor.THREAD_FIRST_LEFTOVER, leftover)
                    .putLong(PlanDescriptor.THREAD_LEFTOVERS, thread.leftovers())
                    .putLong(PlanDescriptor.THREAD_BEGIN_NS, thread.beginNs())
                    .putLong(PlanDescriptor.THREAD_END_NS, thread.endNs())
                    .putLong(PlanDescriptor.THREAD_FRAME_ARENA_BYTES, thread.frameArenaBytes())
                    .putLong(PlanDescriptor.THREAD_DOUBLE_BUFFER_BYTES, thread.doubleBufferBytes());
            out.write(bytes);
            operation += thread.operations();
            call += thread.calls();
            stretch += thread.stretches();
            leftover += thread.leftovers();
        }
    }

    private void writeOperations(OutputStream out) throws IOException {
        byte[] bytes = new byte[PlanDescriptor.OPERATION_BYTES];
        ByteBuffer entry = view(bytes);
        for (ThreadPlan thread : threads) {
            for (int i = 0; i < thread.words(); i += 2) {
                entry.putLong(0, thread.word(i)).putLong(Long.BYTES, thread.word(i + 1));
                out.write(bytes);
            }
        }
    }

    private void writeMarks(OutputStream out) throws IOException {
        byte[] bytes = new byte[PlanDescriptor.MARK_BYTES];
        ByteBuffer entry = view(bytes);
        for (int i = 0; i < planner.marks(); i++) {
            entry.putLong(0, planner.markNs(i))
                    .putInt(PlanDescriptor.MARK_THREAD, planner.markThread(i))
                    .putInt(PlanDescriptor.MARK_KIND, planner.isTick(i) ? 1 : 0);
            out.write(bytes);
        }
    }

    private void writeLeftovers(OutputStream out) throws IOException {
        byte[] bytes = new byte[Integer.BYTES];
        ByteBuffer entry = view(bytes);
        for (ThreadPlan thread : threads) {
            for (int i = 0; i < thread.leftovers(); i++) {
                entry.putInt(0, thread.leftover(i));
                out.write(bytes);
            }
        }
    }
}
