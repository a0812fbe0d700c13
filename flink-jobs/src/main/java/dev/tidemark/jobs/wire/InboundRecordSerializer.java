package dev.tidemark.jobs.wire;

import dev.tidemark.replay.InboundRecord;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

final class InboundRecordSerializer extends WireSerializer<InboundRecord> {
    private static final long serialVersionUID = 1;
    static final InboundRecordSerializer INSTANCE = new InboundRecordSerializer();

    @Override
    public InboundRecord createInstance() {
        return new InboundRecord("", 0, 0, 0, new byte[0]);
    }

    @Override
    public void serialize(InboundRecord record, DataOutputView target) throws IOException {
        writeText(record.topic(), target);
        target.writeInt(record.partition());
        target.writeLong(record.offset());
        target.writeLong(record.brokerTimeMs());
        writeBytes(record.bytes(), target);
    }

    @Override
    public InboundRecord deserialize(DataInputView source) throws IOException {
        return new InboundRecord(
                readText(source),
                source.readInt(),
                source.readLong(),
                source.readLong(),
                readBytes(source));
    }

    @Override
    public TypeSerializerSnapshot<InboundRecord> snapshotConfiguration() {
        return new Snapshot();
    }

    /** Made by Flink by its name. */
    public static final class Snapshot extends SimpleTypeSerializerSnapshot<InboundRecord> {
        /** For Flink. */
        public Snapshot() {
            super(() -> INSTANCE);
        }
    }
}
