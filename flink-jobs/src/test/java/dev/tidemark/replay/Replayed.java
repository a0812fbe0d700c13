package dev.tidemark.replay;

import dev.tidemark.schemas.SchemaCatalog;
import dev.tidemark.schemas.TraceDecoder;
import dev.tidemark.schemas.TraceFormatException;
import dev.tidemark.schemas.lake.LakeColumn;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A session under test: takes records, keeps what comes out. */
final class Replayed implements ReplayOutput {
    static final Load LOAD = new Load("test", TestSession.STARTED_AT_US);
    static final long BROKER_MS = TestSession.STARTED_AT_US / 1000;

    final MemoryPages pages = new MemoryPages();
    final List<LakeRow> rows = new ArrayList<>();
    final List<EventBatch> batches = new ArrayList<>();
    final List<String> rejected = new ArrayList<>();
    final Map<ReplayCount, Long> counts = new EnumMap<>(ReplayCount.class);
    private final TraceDecoder decoder = new TraceDecoder(new SchemaCatalog());
    private final ReplayTools tools;
    private final String id;
    ReplayedSession session;
    private long offset;

    Replayed(boolean isWithEvents) {
        this(TestSession.ID, isWithEvents);
    }

    Replayed(String id, boolean isWithEvents) {
        this.id = id;
        tools = new ReplayTools(LOAD, decoder, this, isWithEvents);
        session = ReplayedSession.open(id, pages, tools);
    }

    /** A page store in memory. */
    static final class MemoryPages implements PageStore {
        final Map<Long, byte[]> pages = new HashMap<>();
        int puts;

        @Override
        public byte @Nullable [] get(long key) {
            return pages.get(key);
        }

        @Override
        public void put(long key, byte[] page) {
            puts++;
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

    Replayed accept(List<byte[]> records) throws TraceFormatException {
        for (byte[] record : records) {
            accept(record, BROKER_MS);
        }
        return this;
    }

    void accept(byte[] record, long brokerMs) throws TraceFormatException {
        session.accept(
                new InboundRecord("tidemark.trace", 0, offset++, brokerMs, record),
                decoder.readEnvelope(record));
    }

    /** Ends the process and starts another: what was not written is gone. */
    void restart() {
        session.flush();
        session = ReplayedSession.open(id, pages, tools);
    }

    @Override
    public void row(LakeRow row) {
        rows.add(row);
    }

    @Override
    public void events(EventBatch batch) {
        batches.add(batch);
    }

    @Override
    public void reject(InboundRecord record, String reason) {
        rejected.add(record + ": " + reason);
    }

    @Override
    public void count(ReplayCount what, long times) {
        counts.merge(what, times, Long::sum);
    }

    long count(ReplayCount what) {
        return counts.getOrDefault(what, 0L);
    }

    /** A table's rows in order, without what is NULL and without the session's id. */
    List<Map<String, Object>> table(String name) {
        List<Map<String, Object>> found = new ArrayList<>();
        for (LakeRow row : rows) {
            if (row.table().name().equals(name)) {
                found.add(map(row));
            }
        }
        return found;
    }

    Map<String, Object> last(String name) {
        List<Map<String, Object>> all = table(name);
        return all.get(all.size() - 1);
    }

    static Map<String, Object> map(LakeRow row) {
        Map<String, Object> map = new TreeMap<>();
        List<LakeColumn> columns = row.table().storedColumns();
        for (int i = 0; i < columns.size(); i++) {
            Object value = row.values()[i];
            if (value != null && !columns.get(i).name().equals("session_id")) {
                map.put(columns.get(i).name(), value);
            }
        }
        return map;
    }
}
