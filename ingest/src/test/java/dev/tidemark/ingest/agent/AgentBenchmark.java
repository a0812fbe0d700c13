package dev.tidemark.ingest.agent;

import dev.tidemark.ingest.merge.RingMerger;
import dev.tidemark.ingest.merge.StampClock;
import dev.tidemark.ingest.ring.RecordDescriptor;
import dev.tidemark.ingest.ring.RingFile;
import dev.tidemark.ingest.sink.RecordingSink;
import dev.tidemark.ingest.sink.TraceSink;
import dev.tidemark.schemas.EventColumns;
import dev.tidemark.schemas.Operation;
import dev.tidemark.schemas.RecordingReader;
import dev.tidemark.schemas.SchemaCatalog;
import dev.tidemark.schemas.TraceDecoder;
import dev.tidemark.schemas.TraceEnvelope;
import dev.tidemark.schemas.avro.Host;
import dev.tidemark.schemas.avro.Role;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.apache.avro.Schema;

/**
 * What an event costs the agent, by hand: {@code AgentBenchmark RECORDING.trace.avro}. The
 * recording's events are written back into rings as a recorder would have, and from there go
 * through the merge, the numbering, the blocks and a sink. Prints CPU nanoseconds an event and
 * bytes an event, a row each.
 */
final class AgentBenchmark {
    private static final int ROUNDS = 5;
    private static final int RING_RECORDS = 1 << 15;
    private static final int RINGS = 64;
    private static final int STRIDE = 4096 + RING_RECORDS * 32;
    private static final int HEADER = 32768;
    private static final long START = 1_000_000;

    private AgentBenchmark() {}

    public static void main(String[] arguments) throws Exception {
        Path recording = Path.of(arguments[0]);
        Path folder = Files.createTempDirectory(Path.of("/dev/shm"), "tidemark-bench");
        Path out = folder.resolve("out.trace.avro");
        try {
            for (int round = 1; round <= ROUNDS; round++) {
                try (TraceSink nothing = new Nothing()) {
                    print("merge, number, encode", run(recording, folder, nothing));
                }
                try (RecordingSink sink = new RecordingSink(out)) {
                    print("the same and pack into a recording", run(recording, folder, sink));
                }
            }
            row("bytes an event, packed", Files.size(out) / (double) events(recording), "bytes");
            row(
                    "the recording itself",
                    Files.size(recording) / (double) events(recording),
                    "bytes");
        } finally {
            try (var left = Files.newDirectoryStream(folder)) {
                for (Path file : left) {
                    Files.delete(file);
                }
            }
            Files.delete(folder);
        }
    }

    private static void print(String what, double nanos) {
        row(what, nanos, "ns CPU an event");
    }

    private static void row(String what, double figure, String unit) {
        System.out.printf(Locale.ROOT, "%-40s %8.2f %s%n", what, figure, unit);
    }

    private static long events(Path recording) throws Exception {
        long events = 0;
        SchemaCatalog schemas = new SchemaCatalog();
        TraceDecoder decoder = new TraceDecoder(schemas);
        EventColumns columns = new EventColumns();
        try (RecordingReader reader = new RecordingReader(recording, schemas)) {
            for (byte[] record = reader.next(); record != null; record = reader.next()) {
                TraceEnvelope head = decoder.readEnvelope(record);
                if (head.isEventBlock()) {
                    decoder.readEvents(head, columns);
                    events += columns.size();
                }
            }
        }
        return events;
    }

    /** CPU time of polls alone, an event. */
    private static double run(Path recording, Path folder, TraceSink sink) throws Exception {
        Path path = folder.resolve("1-00000000000000ff.ring");
        Files.deleteIfExists(path);
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        SchemaCatalog schemas = new SchemaCatalog();
        TraceDecoder decoder = new TraceDecoder(schemas);
        EventColumns columns = new EventColumns();
        long events = 0;
        long cpuNs = 0;
        try (FileChannel channel =
                        FileChannel.open(
                                path,
                                StandardOpenOption.CREATE,
                                StandardOpenOption.READ,
                                StandardOpenOption.WRITE);
                RecordingReader reader = new RecordingReader(recording, schemas)) {
            Rings rings = new Rings(channel);
            try (RingFile file = RingFile.open(path)) {
                BlockBuilder builder = builder(sink);
                StampClock clock = new StampClock(START, file.start(), file.stampsPerSecond());
                RingMerger merger = new RingMerger(file, clock, builder, false, 1 << 20);
                for (byte[] record = reader.next(); record != null; record = reader.next()) {
                    TraceEnvelope head = decoder.readEnvelope(record);
                    if (!head.isEventBlock()) {
                        continue;
                    }
                    decoder.readEvents(head, columns);
                    for (int from = 0; from < columns.size(); from += RING_RECORDS / 8) {
                        int to = Math.min(columns.size(), from + RING_RECORDS / 8);
                        events += rings.write(columns, from, to);
                        long before = threads.getCurrentThreadCpuTime();
                        merger.poll(System.nanoTime());
                        cpuNs += threads.getCurrentThreadCpuTime() - before;
                    }
                }
                merger.drain();
                builder.finish(builder.lastNs());
                if (merger.counts().unknownFrees() > 0) {
                    throw new IllegalStateException("not as recorded: " + merger.counts());
                }
            }
        }
        return cpuNs / (double) events;
    }

    private static BlockBuilder builder(TraceSink sink) throws Exception {
        RecordOutput output = new RecordOutput(Uuids.version7(1), 1, sink);
        MarkTracks tracks =
                new MarkTracks(
                        MarkTrack.of(Operation.FRAME, "call:x"),
                        MarkTrack.of(Operation.TICK, "call:x"),
                        Role.SERVER);
        SessionHead head =
                new SessionHead(
                        SessionSettings.of(Map.of(), "/bin/x"),
                        "",
                        Host.newBuilder().build(),
                        "1",
                        0,
                        null);
        output.open(head.with(tracks), tracks);
        ThreadTable threads = new ThreadTable(output, ThreadNames.OFF, null);
        return new BlockBuilder(output, tracks, threads, () -> 0, cost -> {});
    }

    /** Writes events back as records. Addresses are made up: one for each block, used again. */
    private static final class Rings {
        private final ByteBuffer[] rings = new ByteBuffer[RINGS];
        private final long[] heads = new long[RINGS];
        private final Map<Long, Long> addresses = new HashMap<>();
        private final ArrayDeque<Long> spare = new ArrayDeque<>();
        private long nextAddress = 0x7f00_0000_0000L;

        Rings(FileChannel channel) throws Exception {
            ByteBuffer header = map(channel, 0, HEADER);
            header.put(0, "TIDEMARK".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
            header.putInt(8, 1).putInt(12, HEADER).putInt(24, 1).putInt(40, 2);
            header.putInt(56, RINGS).putInt(60, RING_RECORDS);
            header.putLong(64, HEADER).putLong(72, STRIDE).putLong(80, 1_000_000_000L);
            header.putLong(88, START).putLong(256, RINGS);
            for (int i = 0; i < RINGS; i++) {
                rings[i] = map(channel, HEADER + (long) i * STRIDE, STRIDE);
            }
        }

        private static ByteBuffer map(FileChannel channel, long at, long bytes) throws Exception {
            return channel.map(FileChannel.MapMode.READ_WRITE, at, bytes)
                    .order(ByteOrder.LITTLE_ENDIAN);
        }

        private void put(int ring, long begin, int operation, long took, long address, long size) {
            int at = 4096 + (int) (heads[ring]++ % RING_RECORDS) * 32;
            rings[ring].putLong(at, begin);
            rings[ring].putLong(at + 8, RecordDescriptor.word(operation, false, 0, took));
            rings[ring].putLong(at + 16, address);
            rings[ring].putLong(at + 24, size);
        }

        private long newAddress(long block) {
            Long again = spare.size() > 256 ? spare.poll() : null;
            long address = again == null ? nextAddress += 48 : again;
            addresses.put(block, address);
            return address;
        }

        private long oldAddress(long block) {
            Long address = addresses.remove(block);
            if (address == null) {
                return 0;
            }
            spare.add(address);
            return address;
        }

        int write(EventColumns events, int from, int to) {
            for (int i = from; i < to; i++) {
                write(events, i);
            }
            for (int i = 0; i < RINGS; i++) {
                rings[i].putLong(128, heads[i]);
            }
            return to - from;
        }

        private void write(EventColumns events, int i) {
            int ring = events.thread(i) % RINGS;
            long took = events.durationNs(i);
            long key = START + events.timeNs(i);
            boolean isMade = events.made(i) != EventColumns.NO_BLOCK;
            switch (events.operation(i)) {
                case Operation.FREE, Operation.DELETE -> {
                    long address = oldAddress(events.released(i));
                    if (address != 0) {
                        put(ring, key, RecordDescriptor.FREE, took, address, 0);
                    }
                }
                case Operation.REALLOC -> {
                    long old = oldAddress(events.released(i));
                    put(ring, key - took, RecordDescriptor.REALLOC_FROM, took, old, 0);
                    long address = isMade ? newAddress(events.made(i)) : 0;
                    put(
                            ring,
                            key - took,
                            RecordDescriptor.REALLOC,
                            took,
                            address,
                            isMade ? events.sizeBytes(i) : 0);
                }
                case Operation.FRAME -> put(ring, key, RecordDescriptor.FRAME, 0, 8, 0);
                case Operation.TICK -> put(ring, key, RecordDescriptor.TICK, 0, 2, 0);
                default -> {
                    if (isMade) {
                        put(
                                ring,
                                key - took,
                                RecordDescriptor.MALLOC,
                                took,
                                newAddress(events.made(i)),
                                events.sizeBytes(i));
                    }
                }
            }
        }
    }

    private static final class Nothing implements TraceSink {
        @Override
        public void send(String sessionId, String type, byte[] record) {}

        @Override
        public void publishSchema(Schema schema) {}

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
