package dev.tidemark.jobs.parquet;

import dev.tidemark.replay.LakeRow;
import dev.tidemark.schemas.lake.LakeColumn;
import dev.tidemark.schemas.lake.LakeTable;
import java.util.List;
import java.util.Map;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.RecordConsumer;
import org.jspecify.annotations.Nullable;

/** Writes rows of one table. */
final class RowWriteSupport extends LakeWriteSupport<LakeRow> {
    private final List<LakeColumn> columns;

    RowWriteSupport(LakeTable table) {
        super(table);
        columns = table.storedColumns();
    }

    @Override
    void writeFields(LakeRow row, RecordConsumer out) {
        @Nullable Object[] values = row.values();
        for (int i = 0; i < values.length; i++) {
            Object value = values[i];
            if (value != null) {
                out.startField(columns.get(i).name(), i);
                writeValue(columns.get(i), value, out);
                out.endField(columns.get(i).name(), i);
            }
        }
    }

    private static void writeValue(LakeColumn column, Object value, RecordConsumer out) {
        switch (column.type()) {
            case BIGINT, TIMESTAMPTZ -> out.addLong((Long) value);
            case INTEGER -> out.addInteger((Integer) value);
            case DOUBLE -> out.addDouble((Double) value);
            case BOOLEAN -> out.addBoolean((Boolean) value);
            case VARCHAR -> out.addBinary(Binary.fromString((String) value));
            case MAP -> writeMap((Map<?, ?>) value, out);
        }
    }

    private static void writeMap(Map<?, ?> map, RecordConsumer out) {
        out.startGroup();
        if (!map.isEmpty()) {
            out.startField("key_value", 0);
            map.forEach(
                    (key, value) -> {
                        out.startGroup();
                        out.startField("key", 0);
                        out.addBinary(Binary.fromString((String) key));
                        out.endField("key", 0);
                        if (value != null) {
                            out.startField("value", 1);
                            out.addBinary(Binary.fromString((String) value));
                            out.endField("value", 1);
                        }
                        out.endGroup();
                    });
            out.endField("key_value", 0);
        }
        out.endGroup();
    }
}
