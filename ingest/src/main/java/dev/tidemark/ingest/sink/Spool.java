package dev.tidemark.ingest.sink;

import dev.tidemark.schemas.RecordingWriter;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Records on disk that a broker doesn't have yet: recordings in a folder of this sink's own, in
 * order of their names. A folder left by one that died is taken over. Not for several threads at
 * once.
 *
 * <pre>
 *     SPOOL/sink-UUID/lock                   held as long as the sink lives
 *     SPOOL/sink-UUID/0000000001.trace.avro  at most 64 MiB before packing
 * </pre>
 */
final class Spool implements Closeable {
    private static final long FILE_BYTES = 64L << 20;
    private static final long MAX_BYTES = 16L << 30;
    private static final String LOCK = "lock";
    private static final String ENDING = ".trace.avro";

    private final Path own;
    private final List<FileChannel> locks = new ArrayList<>();
    private final List<Path> folders = new ArrayList<>();
    private final List<Path> closed = new ArrayList<>();
    private @Nullable RecordingWriter writer;
    private @Nullable Path writing;
    private long writingBytes;
    private long totalBytes;
    private int files;

    /**
     * Opens a spool.
     *
     * @throws IOException when the folder can't be used
     */
    Spool(Path root) throws IOException {
        Files.createDirectories(root);
        takeOver(root);
        own = root.resolve("sink-" + UUID.randomUUID());
        Files.createDirectory(own);
        if (!lock(own)) {
            throw new IOException(own + ": the spool can't be locked");
        }
    }

    private void takeOver(Path root) throws IOException {
        try (DirectoryStream<Path> left = Files.newDirectoryStream(root, "sink-*")) {
            for (Path folder : left) {
                if (Files.isDirectory(folder) && lock(folder)) {
                    closed.addAll(recordings(folder));
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }

    private static List<Path> recordings(Path folder) throws IOException {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*" + ENDING)) {
            files.forEach(found::add);
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        Collections.sort(found);
        return found;
    }

    private boolean lock(Path folder) throws IOException {
        FileChannel channel =
                FileChannel.open(
                        folder.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = null;
        try {
            lock = channel.tryLock();
        } catch (OverlappingFileLockException e) {
            // Another sink of this very process has it.
        }
        if (lock == null) {
            channel.close();
            return false;
        }
        locks.add(channel);
        folders.add(folder);
        return true;
    }

    /**
     * Adds a record.
     *
     * @throws IOException when it can't be kept
     */
    void append(byte[] record) throws IOException {
        if (totalBytes > MAX_BYTES) {
            throw new IOException(
                    "%s: the spool has %d bytes, more than %d: bring the broker back or make room"
                            .formatted(own, totalBytes, MAX_BYTES));
        }
        if (writingBytes >= FILE_BYTES) {
            roll();
        }
        RecordingWriter into = writer;
        if (into == null) {
            writing = own.resolve(String.format(Locale.ROOT, "%010d%s", ++files, ENDING));
            into = new RecordingWriter(writing);
            writer = into;
        }
        try {
            into.append(record);
        } catch (IllegalArgumentException e) {
            throw new IOException(
                    own + ": a record of a foreign schema can't be spooled: " + e.getMessage(), e);
        }
        writingBytes += record.length;
        totalBytes += record.length;
    }

    /** Makes what was added safe from the death of this process. */
    void flush() throws IOException {
        if (writer != null) {
            writer.flush();
        }
    }

    /** Ends the file being written, so that it is among {@link #files}. */
    void roll() throws IOException {
        if (writer != null && writing != null) {
            writer.close();
            closed.add(writing);
            writer = null;
            writing = null;
            writingBytes = 0;
        }
    }

    /** The files that are whole, in order. */
    List<Path> files() {
        return List.copyOf(closed);
    }

    /** Whether there is nothing in it. */
    boolean isEmpty() {
        return closed.isEmpty() && writer == null;
    }

    /** A file's records have all arrived. */
    void delete(Path file) throws IOException {
        Files.deleteIfExists(file);
        closed.remove(file);
        if (isEmpty()) {
            totalBytes = 0;
        }
    }

    /** Leaves what is in it for the next one. */
    @Override
    public void close() throws IOException {
        roll();
        for (Path folder : folders) {
            if (recordings(folder).isEmpty()) {
                Files.deleteIfExists(folder.resolve(LOCK));
                Files.deleteIfExists(folder);
            }
        }
        for (FileChannel lock : locks) {
            lock.close();
        }
    }
}
