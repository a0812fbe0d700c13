package dev.tidemark.ingest.ring;

import static dev.tidemark.ingest.ring.Ring.INT;
import static dev.tidemark.ingest.ring.Ring.LONG;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A ring file on mapped memory: one image of one recorded process. One thread, but for {@link
 * #heartbeat}. Rings are mapped when first asked for; closing gives the file's descriptor back, the
 * mappings go when the object does.
 */
public final class RingFile implements Closeable {
    private static final int MAX_PID = 1 << 22;
    private static final int MAX_RINGS = 1 << 16;
    private static final int MIN_RECORDS = 64;
    private static final int MAX_RECORDS = 1 << 24;
    private static final long MAX_RINGS_OFFSET = 1L << 30;
    private static final long MIN_STAMPS_PER_SECOND = 1_000_000L;
    private static final long MAX_STAMPS_PER_SECOND = 100_000_000_000L;
    private static final int PAGE = 4096;
    private static final int SYNC_TRIES = 64;

    private final Path path;
    private final FileChannel channel;
    private final ByteBuffer header;
    private final int ringCount;
    private final int ringRecords;
    private final long ringsOffset;
    private final long ringStride;
    private final @Nullable Ring[] rings;

    private RingFile(Path path, FileChannel channel) throws IOException {
        this.path = path;
        this.channel = channel;
        long bytes = channel.size();
        check("file's length", bytes, HeaderDescriptor.BYTES, Long.MAX_VALUE);
        header = map(0, HeaderDescriptor.BYTES);
        checkIdentity();
        ringCount = (int) check("ring_count", int32(HeaderDescriptor.RING_COUNT), 1, MAX_RINGS);
        ringRecords =
                (int)
                        check(
                                "ring_records",
                                int32(HeaderDescriptor.RING_RECORDS),
                                MIN_RECORDS,
                                MAX_RECORDS);
        if (Integer.bitCount(ringRecords) != 1) {
            throw broken("ring_records is " + ringRecords + ", must be a power of two");
        }
        ringsOffset =
                check(
                        "rings_offset",
                        int64(HeaderDescriptor.RINGS_OFFSET),
                        HeaderDescriptor.BYTES,
                        MAX_RINGS_OFFSET);
        ringStride =
                check("ring_stride", int64(HeaderDescriptor.RING_STRIDE), ringBytes(), 1L << 31);
        if (ringsOffset % PAGE != 0 || ringStride % PAGE != 0) {
            throw broken(
                    "rings_offset %d and ring_stride %d must be multiples of %d"
                            .formatted(ringsOffset, ringStride, PAGE));
        }
        checkLength();
        checkClock();
        rings = new @Nullable Ring[ringCount];
    }

    /**
     * Opens a ring file for reading, and for writing the agent's own fields.
     *
     * @throws RingFormatException when it is none, or not a whole one
     * @throws IOException when it can't be opened
     */
    public static RingFile open(Path path) throws IOException {
        if (!Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
            throw new RingFormatException(path + ": not a ring file: no regular file");
        }
        FileChannel channel =
                FileChannel.open(
                        path,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE,
                        LinkOption.NOFOLLOW_LINKS);
        try {
            return new RingFile(path, channel);
        } catch (IOException | RuntimeException | InternalError e) {
            channel.close();
            throw e;
        }
    }

    private void checkIdentity() throws RingFormatException {
        long magic = int64(HeaderDescriptor.MAGIC_AT);
        if (magic != HeaderDescriptor.MAGIC) {
            throw broken("it begins with %016x, not with TIDEMARK".formatted(magic));
        }
        int version = int32(HeaderDescriptor.VERSION_AT);
        if (version != HeaderDescriptor.VERSION) {
            throw broken(
                    "its format has version %d, this agent reads %d: use recorder and agent of one build"
                            .formatted(version, HeaderDescriptor.VERSION));
        }
        check(
                "header_bytes",
                int32(HeaderDescriptor.HEADER_BYTES),
                HeaderDescriptor.BYTES,
                HeaderDescriptor.BYTES);
        check("pid", int32(HeaderDescriptor.PID), 1, MAX_PID);
    }

    private void checkClock() throws RingFormatException {
        check("clock", int32(HeaderDescriptor.CLOCK), 1, 3);
        check("stamps_per_second", stampsPerSecond(), MIN_STAMPS_PER_SECOND, MAX_STAMPS_PER_SECOND);
        check("start_stamp", startStamp(), 0, Long.MAX_VALUE / 2);
        check("start_monotonic_ns", start().monotonicNs(), 0, Long.MAX_VALUE / 2);
        check("start_monotonic_raw_ns", start().monotonicRawNs(), 0, Long.MAX_VALUE / 2);
        check("start_realtime_ns", startRealtimeNs(), 0, Long.MAX_VALUE / 2);
    }

    /**
     * Checks that the file has not been cut since it was opened.
     *
     * @throws RingFormatException when it has
     */
    public void checkLength() throws IOException {
        long bytes = channel.size();
        long needed = ringsOffset + ringCount * ringStride;
        if (bytes < needed) {
            throw broken(
                    "it has %d bytes, its %d rings need %d: it was cut"
                            .formatted(bytes, ringCount, needed));
        }
    }

    private long check(String field, long value, long min, long max) throws RingFormatException {
        if (value < min || value > max) {
            throw broken("%s is %d, must be %d to %d".formatted(field, value, min, max));
        }
        return value;
    }

    private RingFormatException broken(String what) {
        return new RingFormatException(path + ": not a ring file that can be read: " + what);
    }

    private long ringBytes() {
        return RingDescriptor.RECORDS + (long) ringRecords * RecordDescriptor.BYTES;
    }

    private ByteBuffer map(long offset, long bytes) throws IOException {
        return channel.map(FileChannel.MapMode.READ_WRITE, offset, bytes)
                .order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Where the file is. */
    public Path path() {
        return path;
    }

    /**
     * A ring that has been used.
     *
     * @param number below {@link #ringsUsed()}
     */
    public Ring ring(int number) throws IOException {
        Ring ring = rings[number];
        if (ring == null) {
            checkLength();
            ByteBuffer memory = map(ringsOffset + number * ringStride, ringBytes());
            ring = new Ring(number, path.toString(), memory, ringRecords);
            rings[number] = ring;
        }
        return ring;
    }

    /** How many rings have been used; the others are holes. */
    public int ringsUsed() throws RingFormatException {
        return (int) check("rings_used", acquire(HeaderDescriptor.RINGS_USED), 0, ringCount);
    }

    /** Bytes of the file that the process has touched, which are no memory of its own. */
    public long touchedBytes() throws RingFormatException {
        return ringsOffset + ringsUsed() * ringStride;
    }

    /** How many rings there can be. */
    public int ringCount() {
        return ringCount;
    }

    /** Bytes that a ring takes. */
    public long ringStride() {
        return ringStride;
    }

    /** Threads that have called so far. */
    public long threads() {
        return Math.max(0, acquire(HeaderDescriptor.THREADS));
    }

    /** Records that fit in each ring. */
    public int ringRecords() {
        return ringRecords;
    }

    /** The process's id as it sees itself. */
    public int pid() {
        return int32(HeaderDescriptor.PID);
    }

    /** Field 22 of /proc/PID/stat, which tells recycled ids apart. */
    public long processStartTicks() {
        return int64(HeaderDescriptor.PROCESS_START_TICKS);
    }

    /** Whether the process called exit; {@link #exitCode()} is valid then. */
    public boolean isExited() {
        return (int) INT.getAcquire(header, HeaderDescriptor.STATE)
                == HeaderDescriptor.STATE_EXITED;
    }

    /** What the process gave to exit. */
    public int exitCode() {
        return int32(HeaderDescriptor.EXIT_CODE);
    }

    /** The stamp at the image's start, which is the session's time 0. */
    public long startStamp() {
        return int64(HeaderDescriptor.START_STAMP);
    }

    /** The image's start on all clocks. */
    public Sync start() {
        return new Sync(
                startStamp(),
                int64(HeaderDescriptor.START_MONOTONIC_RAW_NS),
                int64(HeaderDescriptor.START_MONOTONIC_NS));
    }

    /** Wall clock at the image's start, ns since 1970. */
    public long startRealtimeNs() {
        return int64(HeaderDescriptor.START_REALTIME_NS);
    }

    /** First measure of the clock's rate, good to about a thousandth. */
    public long stampsPerSecond() {
        return int64(HeaderDescriptor.STAMPS_PER_SECOND);
    }

    /** The newest sync of the clock, or null before the first and while one is being written. */
    public @Nullable Sync sync() {
        for (int i = 0; i < SYNC_TRIES; i++) {
            long sequence = acquire(HeaderDescriptor.SYNC_SEQUENCE);
            if (sequence == 0) {
                return null;
            }
            Sync sync =
                    new Sync(
                            acquire(HeaderDescriptor.SYNC_STAMP),
                            acquire(HeaderDescriptor.SYNC_MONOTONIC_RAW_NS),
                            acquire(HeaderDescriptor.SYNC_MONOTONIC_NS));
            if ((sequence & 1) == 0 && sequence == acquire(HeaderDescriptor.SYNC_SEQUENCE)) {
                return sync;
            }
            Thread.onSpinWait();
        }
        return null;
    }

    /** Events of threads while they had no ring. */
    public long droppedWithoutRing() {
        return Math.max(0, acquire(HeaderDescriptor.DROPPED_WITHOUT_RING));
    }

    /** Threads that at some time found no ring. */
    public long threadsWithoutRing() {
        return Math.max(0, acquire(HeaderDescriptor.THREADS_WITHOUT_RING));
    }

    /** Children that inherited the recorder and stayed inert. */
    public long childProcesses() {
        return Math.max(0, acquire(HeaderDescriptor.CHILD_PROCESSES));
    }

    /** Nanoseconds that threads waited for room. */
    public long waitedNs() {
        return Math.max(0, acquire(HeaderDescriptor.WAITED_NS));
    }

    /** Tells the recorder that an agent reads; {@code nowNs} is {@link System#nanoTime()}. */
    public void heartbeat(long nowNs, long agentPid) {
        LONG.setRelease(header, HeaderDescriptor.AGENT_PID, agentPid);
        LONG.setRelease(header, HeaderDescriptor.HEARTBEAT_NS, nowNs);
    }

    /** The process's executable, maybe cut; empty when unknown. */
    public String executable() {
        return text(HeaderDescriptor.EXECUTABLE, HeaderDescriptor.TEXT_BYTES);
    }

    /** Path of the library that answers malloc; empty when unknown. */
    public String allocator() {
        return text(HeaderDescriptor.ALLOCATOR, HeaderDescriptor.TEXT_BYTES);
    }

    /** Executable of the first child that stayed inert; empty for none. */
    public String childExecutable() {
        return text(HeaderDescriptor.CHILD_EXECUTABLE, HeaderDescriptor.TEXT_BYTES);
    }

    /** The process's settings: TIDEMARK_* and what steers an allocator, in their order. */
    public Map<String, String> settings() {
        Map<String, String> settings = new LinkedHashMap<>();
        int end = HeaderDescriptor.SETTINGS + HeaderDescriptor.SETTINGS_BYTES;
        for (int at = HeaderDescriptor.SETTINGS; at < end && header.get(at) != 0; ) {
            int length = textLength(at, end - at);
            String entry = text(at, length);
            int equals = entry.indexOf('=');
            if (equals > 0) {
                settings.put(entry.substring(0, equals), entry.substring(equals + 1));
            }
            at += length + 1;
        }
        return settings;
    }

    /** The name under an index of a phase or value; {@code unnamed} when the table had no room. */
    public String name(long index) {
        if (index < 0 || index >= HeaderDescriptor.NAME_COUNT) {
            return "unnamed";
        }
        int at = HeaderDescriptor.NAMES + (int) index * HeaderDescriptor.NAME_BYTES;
        if ((int) INT.getAcquire(header, at) != HeaderDescriptor.NAME_READABLE) {
            return "unnamed";
        }
        return text(
                at + HeaderDescriptor.NAME_TEXT,
                HeaderDescriptor.NAME_BYTES - HeaderDescriptor.NAME_TEXT);
    }

    private String text(int at, int atMost) {
        byte[] bytes = new byte[textLength(at, atMost)];
        header.get(at, bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private int textLength(int at, int atMost) {
        int length = 0;
        while (length < atMost && header.get(at + length) != 0) {
            length++;
        }
        return length;
    }

    private int int32(int at) {
        return header.getInt(at);
    }

    private long int64(int at) {
        return header.getLong(at);
    }

    private long acquire(int at) {
        return (long) LONG.getAcquire(header, at);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
