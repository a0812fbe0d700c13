package dev.tidemark.ingest.agent;

import dev.tidemark.ingest.sink.TraceSink;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Serves a folder of ring files until it is closed: each becomes a session of the stream, and is
 * deleted when it has been read to its end. Any thread may call.
 *
 * <p>A process that ends closes its session; one that replaces its image closes it and begins
 * another. When the agent is closed before a process ends, the session ends as stopped, the process
 * goes on, and a later agent continues with a session of its own. The sink is the caller's to
 * close.
 */
public final class Agent implements Closeable {
    private static final String LOCK_FILE = ".agent.lock";
    private static final double FULL = 0.5;
    private static final double FILLING = 0.1;
    private static final long FILLING_PAUSE_NS = 200_000;
    private static final long PAUSE_NS = 2_000_000;

    private final RingFolder folder;
    private final FileChannel lockFile;
    private final Thread thread;
    private volatile boolean isClosing;
    private volatile @Nullable Throwable failure;

    private Agent(RingFolder folder, FileChannel lockFile) {
        this.folder = folder;
        this.lockFile = lockFile;
        thread = new Thread(this::run, "tidemark-agent");
        thread.setDaemon(true);
    }

    /**
     * Begins to serve a folder.
     *
     * @throws IOException when the folder can't be used, or another agent serves it
     */
    public static Agent start(AgentOptions options, TraceSink sink, AgentListener listener)
            throws IOException {
        if (!Files.isDirectory(options.rings())) {
            throw new IOException(
                    options.rings() + ": no folder to read rings from: make it first");
        }
        FileChannel lockFile = lock(options.rings());
        try {
            Agent agent = new Agent(new RingFolder(options, sink, listener), lockFile);
            agent.thread.start();
            return agent;
        } catch (IOException | RuntimeException e) {
            lockFile.close();
            throw e;
        }
    }

    private static FileChannel lock(Path rings) throws IOException {
        FileChannel channel =
                FileChannel.open(
                        rings.resolve(LOCK_FILE),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE);
        FileLock lock = null;
        try {
            lock = channel.tryLock();
        } catch (OverlappingFileLockException e) {
            // An agent of this very process: told below.
        }
        if (lock == null) {
            channel.close();
            throw new IOException(
                    rings + ": another agent serves this folder: stop it or use another folder");
        }
        return channel;
    }

    /**
     * Says how a process that the caller started has ended; only its parent knows that for sure.
     *
     * @param exitCode null when a signal ended it
     * @param signal null when it exited
     */
    public void processEnded(long pid, @Nullable Integer exitCode, @Nullable Integer signal) {
        folder.processEnded(pid, new ProcessEnd(System.nanoTime(), exitCode, signal));
        LockSupport.unpark(thread);
    }

    /**
     * Waits until every process that has ended is read to its end and its session sent. Processes
     * that still run are not waited for.
     *
     * @return false when the time was not enough
     * @throws IOException when the sink could not keep something
     */
    public boolean awaitDrained(Duration timeout) throws IOException, InterruptedException {
        CompletableFuture<Void> drained = folder.whenDrained();
        LockSupport.unpark(thread);
        try {
            drained.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new IOException("not everything was sent: " + e.getCause(), e);
        }
    }

    /** What it has done so far. */
    public AgentStatus status() {
        return folder.status();
    }

    /** Figures for Prometheus, as text. */
    public String metrics() {
        return folder.metrics();
    }

    /** Why the agent stopped by itself, which it never should; null while all is well. */
    public @Nullable Throwable failure() {
        return failure;
    }

    private void run() {
        try {
            while (!isClosing) {
                folder.round();
                pause();
            }
        } catch (RuntimeException | Error e) {
            failure = e;
            folder.failed(e);
        } finally {
            folder.close();
        }
    }

    private void pause() {
        double fill = folder.fillRatio();
        if (fill < FULL) {
            LockSupport.parkNanos(this, fill > FILLING ? FILLING_PAUSE_NS : PAUSE_NS);
        }
    }

    /** Ends the sessions of processes that still run as stopped, and lets those go on. */
    @Override
    public void close() throws IOException {
        isClosing = true;
        LockSupport.unpark(thread);
        boolean isInterrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                isInterrupted = true;
            }
        }
        lockFile.close();
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
