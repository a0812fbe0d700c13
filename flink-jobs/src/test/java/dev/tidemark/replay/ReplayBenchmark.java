package dev.tidemark.replay;

import dev.tidemark.schemas.EventColumns;
import dev.tidemark.schemas.SchemaCatalog;
import dev.tidemark.schemas.TraceDecoder;
import dev.tidemark.schemas.TraceEnvelope;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Run by hand. Prints what the replay core does on one core, and what its state takes:
 *
 * <pre>
 *   replay core: events/s with decoding, decoding alone, and the difference
 *   state: heap bytes and checkpoint bytes per live block
 * </pre>
 */
public final class ReplayBenchmark {
    private static final int ROUNDS = 6;
    private static final ThreadMXBean CPU = ManagementFactory.getThreadMXBean();

    private ReplayBenchmark() {}

    public static void main(String[] args) throws Exception {
        long events = args.length > 0 ? Long.parseLong(args[0]) : 6_000_000;
        int live = args.length > 1 ? Integer.parseInt(args[1]) : 200_000;
        List<byte[]> records = BattleRecords.of(TestSession.ID, events, live);
        long bytes = records.stream().mapToLong(record -> record.length).sum();
        print("bytes per event, not compressed", (double) bytes / events);
        for (int round = 0; round < ROUNDS; round++) {
            double decode = seconds(() -> decode(records));
            double replay = seconds(() -> replay(records));
            print("decode alone, million events/s", events / decode / 1e6);
            print("decode and replay, million events/s", events / replay / 1e6);
            print("replay alone, million events/s", events / (replay - decode) / 1e6);
        }
        state(records);
    }

    private interface Work {
        void run() throws Exception;
    }

    private static double seconds(Work work) throws Exception {
        long startNs = CPU.getCurrentThreadCpuTime();
        work.run();
        return (CPU.getCurrentThreadCpuTime() - startNs) / 1e9;
    }

    private static void decode(List<byte[]> records) throws Exception {
        TraceDecoder decoder = new TraceDecoder(new SchemaCatalog());
        EventColumns columns = new EventColumns();
        for (byte[] record : records) {
            TraceEnvelope envelope = decoder.readEnvelope(record);
            if (envelope.isEventBlock()) {
                decoder.readEvents(envelope, columns);
            }
        }
    }

    private static void replay(List<byte[]> records) throws Exception {
        Counted out = new Counted();
        out.accept(records);
        if (out.rows == 0) {
            throw new IllegalStateException("no rows");
        }
    }

    private static void state(List<byte[]> records) throws Exception {
        Counted out = new Counted();
        int half = records.size() / 2;
        out.accept(records.subList(0, half));
        out.session.flush();
        print("live blocks", (double) out.session.liveBlocks());
        print(
                "heap bytes per live block",
                (double) out.session.heapBytes() / out.session.liveBlocks());
        print("state bytes per live block", (double) out.bytes() / out.session.liveBlocks());
        for (int i = half; i < Math.min(half + 5, records.size() - 1); i++) {
            out.written = 0;
            out.accept(records.subList(i, i + 1));
            out.session.flush();
            print(
                    "written by a checkpoint after 40,000 events, share of state",
                    (double) out.written / out.bytes());
        }
    }

    private static void print(String what, double value) {
        System.out.println(String.format(Locale.ROOT, "%-60s %,14.2f", what, value));
    }

    /** Takes everything and keeps the pages. */
    private static final class Counted implements ReplayOutput, PageStore {
        final TraceDecoder decoder = new TraceDecoder(new SchemaCatalog());
        final Map<Long, byte[]> pages = new HashMap<>();
        final ReplayedSession session =
                ReplayedSession.open(
                        TestSession.ID,
                        this,
                        new ReplayTools(
                                new Load("bench", TestSession.STARTED_AT_US),
                                decoder,
                                this,
                                false));
        long rows;
        long written;

        void accept(List<byte[]> records) throws Exception {
            for (byte[] record : records) {
                session.accept(
                        new InboundRecord("t", 0, 0, 0, record), decoder.readEnvelope(record));
            }
        }

        long bytes() {
            return pages.values().stream().mapToLong(page -> page.length).sum();
        }

        @Override
        public void row(LakeRow row) {
            rows++;
        }

        @Override
        public void events(EventBatch batch) {
            throw new IllegalStateException("not asked for");
        }

        @Override
        public void reject(InboundRecord record, String reason) {
            throw new IllegalStateException(reason);
        }

        @Override
        public void count(ReplayCount what, long times) {
            // Nobody asks.
        }

        @Override
        public byte @Nullable [] get(long key) {
            return pages.get(key);
        }

        @Override
        public void put(long key, byte[] page) {
            written += page.length;
            pages.put(key, page);
        }

        @Override
        public void remove(long key) {
            pages.remove(key);
        }

        @Override
        public Iterable<Long> keys() {
            return List.copyOf(pages.keySet());
        }

        @Override
        public void clear() {
            pages.clear();
        }
    }
}
