package dev.tidemark.jobs.wire;

import dev.tidemark.replay.LakeRow;
import dev.tidemark.schemas.lake.ColumnType;
import dev.tidemark.schemas.lake.LakeColumn;
import dev.tidemark.schemas.lake.LakeTable;
import dev.tidemark.schemas.lake.LakeTables;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.jspecify.annotations.Nullable;

final class LakeRowSerializer extends WireSerializer<LakeRow> {
    private static final long serialVersionUID = 1;
    static final LakeRowSerializer INSTANCE = new LakeRowSerializer();

    private static final List<List<LakeColumn>> COLUMNS =
            LakeTables.ALL.stream().map(LakeTable::storedColumns).toList();

    @Override
    public LakeRow createInstance() {
        int width = COLUMNS.get(0).size();
        return new LakeRow(LakeTables.ALL.get(0), "", "", 0, new @Nullable Object[width]);
    }

    @Override
    public void serialize(LakeRow row, DataOutputView target) throws IOException {
        int table = tableNumber(row.table());
        target.writeByte(table);
        writeText(row.sessionId(), target);
        writeText(row.loadId(), target);
        target.writeInt(row.day());
        List<LakeColumn> columns = COLUMNS.get(table);
        for (int i = 0; i < columns.size(); i++) {
            Object value = row.values()[i];
            target.writeBoolean(value != null);
            if (value != null) {
                writeValue(columns.get(i).type(), value, target);
            }
        }
    }

    private static int tableNumber(LakeTable table) {
        for (int i = 0; i < LakeTables.ALL.size(); i++) {
            if (LakeTables.ALL.get(i).name().equals(table.name())) {
                return i;
            }
        }
        throw new IllegalArgumentException("table " + table.name() + " is not in LakeTables");
    }

    @Override
    public LakeRow deserialize(DataInputView source) throws IOException {
        int table = source.readByte();
        String sessionId = readText(source);
        String loadId = readText(source);
        int day = source.readInt();
        List<LakeColumn> columns = COLUMNS.get(table);
        @Nullable Object[] values = new @Nullable Object[columns.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = source.readBoolean() ? readValue(columns.get(i).type(), source) : null;
        }
        return new LakeRow(LakeTables.ALL.get(table), sessionId, loadId, day, values);
    }

    private static void writeValue(ColumnType type, Object value, DataOutputView target)
            throws IOException {
        switch (type) {
            case BIGINT, TIMESTAMPTZ -> target.writeLong((Long) value);
            case INTEGER -> target.writeInt((Integer) value);
            case DOUBLE -> target.writeDouble((Double) value);
            case BOOLEAN -> target.writeBoolean((Boolean) value);
            case VARCHAR -> writeText((String) value, target);
            case MAP -> writeMap((Map<?, ?>) value, target);
        }
    }

    private static Object readValue(ColumnType type, DataInputView source) throws IOException {
        return switch (type) {
            case BIGINT, TIMESTAMPTZ -> source.readLong();
            case INTEGER -> source.readInt();
            case DOUBLE -> source.readDouble();
            case BOOLEAN -> source.readBoolean();
            case VARCHAR -> readText(source);
            case MAP -> readMap(source);
        };
    }

    private static void writeMap(Map<?, ?> map, DataOutputView target) throws IOException {
        target.writeInt(map.size());
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            writeText((String) entry.getKey(), target);
            writeText((String) entry.getValue(), target);
        }
    }

    private static Map<String, @Nullable String> readMap(DataInputView source) throws IOException {
        Map<String, @Nullable String> map = new TreeMap<>();
        for (int left = source.readInt(); left > 0; left--) {
            map.put(readText(source), readNullableText(source));
        }
        return map;
    }

    @Override
    public TypeSerializerSnapshot<LakeRow> snapshotConfiguration() {
        return new Snapshot();
    }

    /** Made by Flink by its name. */
    public static final class Snapshot extends SimpleTypeSerializerSnapshot<LakeRow> {
        /** For Flink. */
        public Snapshot() {
            super(() -> INSTANCE);
        }
    }
}
