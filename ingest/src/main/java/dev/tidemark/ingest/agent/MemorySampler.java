package dev.tidemark.ingest.agent;

import dev.tidemark.ingest.proc.MemoryReader;
import dev.tidemark.schemas.avro.MemorySample;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Samples memory beside the agent's thread, as reading /proc may wait for the kernel. A sample that
 * takes long makes the next ones rarer, so that sampling costs a twentieth of a core at most.
 */
final class MemorySampler implements AutoCloseable {
    private static final int COST_FACTOR = 20;
    private static final long CLOSE_SECONDS = 5;

    private final ScheduledExecutorService executor =
            Executors.newSingleThreadScheduledExecutor(
                    task -> {
                        Thread thread = new Thread(task, "tidemark-memory");
                        thread.setDaemon(true);
                        return thread;
                    });

    /** A process that is being sampled. */
    final class Sampled implements Runnable {
        private final MemoryReader reader;
        private final LongSupplier sessionNs;
        private final AtomicLong ringBytes;
        private final Consumer<MemorySample> samples;
        private final long intervalNs;
        private volatile boolean isOver;
        private volatile @Nullable Future<?> next;

        private Sampled(
                MemoryReader reader,
                LongSupplier sessionNs,
                AtomicLong ringBytes,
                Consumer<MemorySample> samples,
                long intervalNs) {
            this.reader = reader;
            this.sessionNs = sessionNs;
            this.ringBytes = ringBytes;
            this.samples = samples;
            this.intervalNs = intervalNs;
        }

        @Override
        public void run() {
            if (isOver) {
                return;
            }
            long began = System.nanoTime();
            MemorySample sample = reader.read(sessionNs.getAsLong(), ringBytes.get());
            if (sample == null) {
                return;
            }
            samples.accept(sample);
            long took = System.nanoTime() - began;
            long pause = Math.max(intervalNs - took, took * COST_FACTOR);
            again(Math.max(0, pause));
        }

        private void again(long delayNs) {
            try {
                next = executor.schedule(this, delayNs, TimeUnit.NANOSECONDS);
            } catch (RejectedExecutionException e) {
                isOver = true;
            }
        }

        void stop() {
            isOver = true;
            Future<?> waiting = next;
            if (waiting != null) {
                waiting.cancel(false);
            }
        }
    }

    /** Begins with a process; {@code samples} is called on the sampler's thread. */
    Sampled start(
            MemoryReader reader,
            LongSupplier sessionNs,
            AtomicLong ringBytes,
            Consumer<MemorySample> samples,
            Duration interval) {
        Sampled sampled = new Sampled(reader, sessionNs, ringBytes, samples, interval.toNanos());
        sampled.again(0);
        return sampled;
    }

    @Override
    public void close() {
        executor.shutdownNow();
        try {
            if (!executor.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                Thread.currentThread().interrupt();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
