package dev.tidemark.jobs.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.replay.EventBatch;
import dev.tidemark.replay.InboundRecord;
import dev.tidemark.replay.LakeRow;
import dev.tidemark.schemas.lake.LakeColumn;
import dev.tidemark.schemas.lake.LakeTable;
import dev.tidemark.schemas.lake.LakeTables;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class WireTypeTest {
    private static <T> T throughTheWire(WireType<T> type, T value) throws Exception {
        TypeSerializer<T> serializer = type.createSerializer(new SerializerConfigImpl());
        DataOutputSerializer out = new DataOutputSerializer(64);
        serializer.serialize(value, out);
        DataInputDeserializer in = new DataInputDeserializer(out.getCopyOfBuffer());
        T read = serializer.deserialize(in);
        assertThat(in.available()).isZero();
        DataOutputSerializer copied = new DataOutputSerializer(64);
        serializer.copy(new DataInputDeserializer(out.getCopyOfBuffer()), copied);
        assertThat(copied.getCopyOfBuffer()).isEqualTo(out.getCopyOfBuffer());
        return read;
    }

    private static Object someValue(LakeColumn column) {
        return switch (column.type()) {
            case BIGINT, TIMESTAMPTZ -> Long.MIN_VALUE;
            case INTEGER -> -7;
            case DOUBLE -> 0.25;
            case BOOLEAN -> true;
            case VARCHAR -> "ä".repeat(70_000);
            case MAP -> Map.of("k", "v");
        };
    }

    @Test
    void carriesRowsOfEveryTableWithAndWithoutValues() throws Exception {
        for (LakeTable table : LakeTables.ALL) {
            List<LakeColumn> columns = table.storedColumns();
            for (int isSet = 0; isSet < 3; isSet++) {
                @Nullable Object[] values = new @Nullable Object[columns.size()];
                for (int i = 0; i < values.length; i++) {
                    values[i] = isSet == 2 || i % 2 == isSet ? someValue(columns.get(i)) : null;
                }
                LakeRow row = new LakeRow(table, "s", "load", -3, values);

                LakeRow read = throughTheWire(WireType.ROW, row);

                assertThat(read.values()).isEqualTo(values);
                assertThat(read.table()).isSameAs(table);
                assertThat(read.sessionId() + read.loadId() + read.day()).isEqualTo("sload-3");
            }
        }
    }

    @Test
    void carriesRecordsAndLetters() throws Exception {
        InboundRecord record = new InboundRecord("t", 3, 1L << 40, -1, new byte[] {1, 2});
        DeadLetter letter = throughTheWire(WireType.DEAD_LETTER, new DeadLetter(record, "why"));
        SessionRecord session =
                throughTheWire(WireType.SESSION_RECORD, new SessionRecord("id", record));

        assertThat(letter.reason()).isEqualTo("why");
        assertThat(letter.record()).hasToString("t partition 3 offset " + (1L << 40));
        assertThat(session.record().bytes()).containsExactly(1, 2);
        assertThat(session.record().brokerTimeMs()).isEqualTo(-1);
        assertThat(session.sessionId()).isEqualTo("id");
    }

    @Test
    void carriesEvents() throws Exception {
        EventBatch batch = new EventBatch("s", "l", 5, 1);
        batch.add(1, 2, 3, 4).block(5, 6, 7, 8).spans(9, 10, null);
        batch.add(11, 12, 13, 14).block(EventBatch.NULL, 16, 17, 18).spans(19, 20, "p");
        batch.add(21, 22, 15, 24).block(25, 26, 27, 28).spans(29, 30, "p");

        EventBatch read = throughTheWire(WireType.EVENTS, batch);

        assertThat(read.size()).isEqualTo(3);
        assertThat(read.phase(0)).isNull();
        assertThat(read.phase(1)).isEqualTo("p");
        assertThat(read.phase(2)).isEqualTo("p");
        assertThat(read.sizeBytes(1)).isEqualTo(EventBatch.NULL);
        assertThat(
                        List.of(
                                read.atNs(0),
                                (long) read.thread(0),
                                (long) read.operation(0),
                                read.durationNs(0),
                                read.sizeBytes(0),
                                read.alignment(0),
                                read.block(0),
                                read.releasedBlock(0),
                                read.frame(0),
                                read.tick(0)))
                .containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L);
    }
}
