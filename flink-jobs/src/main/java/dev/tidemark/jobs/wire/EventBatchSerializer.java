package dev.tidemark.jobs.wire;

import dev.tidemark.replay.EventBatch;
import java.io.IOException;
import java.util.Objects;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

final class EventBatchSerializer extends WireSerializer<EventBatch> {
    private static final long serialVersionUID = 1;
    static final EventBatchSerializer INSTANCE = new EventBatchSerializer();

    @Override
    public EventBatch createInstance() {
        return new EventBatch("", "", 0, 0);
    }

    @Override
    public void serialize(EventBatch batch, DataOutputView target) throws IOException {
        writeText(batch.sessionId(), target);
        writeText(batch.loadId(), target);
        target.writeInt(batch.day());
        target.writeInt(batch.size());
        String phase = null;
        for (int i = 0; i < batch.size(); i++) {
            target.writeLong(batch.atNs(i));
            target.writeInt(batch.thread(i));
            target.writeByte(batch.operation(i));
            target.writeLong(batch.durationNs(i));
            target.writeLong(batch.sizeBytes(i));
            target.writeLong(batch.alignment(i));
            target.writeLong(batch.block(i));
            target.writeLong(batch.releasedBlock(i));
            target.writeLong(batch.frame(i));
            target.writeLong(batch.tick(i));
            boolean isSamePhase = Objects.equals(batch.phase(i), phase);
            target.writeBoolean(isSamePhase);
            if (!isSamePhase) {
                phase = batch.phase(i);
                writeText(phase, target);
            }
        }
    }

    @Override
    public EventBatch deserialize(DataInputView source) throws IOException {
        String sessionId = readText(source);
        String loadId = readText(source);
        int day = source.readInt();
        int size = source.readInt();
        EventBatch batch = new EventBatch(sessionId, loadId, day, size);
        String phase = null;
        for (int i = 0; i < size; i++) {
            batch.add(source.readLong(), source.readInt(), source.readByte(), source.readLong())
                    .block(
                            source.readLong(),
                            source.readLong(),
                            source.readLong(),
                            source.readLong());
            long frame = source.readLong();
            long tick = source.readLong();
            phase = source.readBoolean() ? phase : readNullableText(source);
            batch.spans(frame, tick, phase);
        }
        return batch;
    }

    @Override
    public TypeSerializerSnapshot<EventBatch> snapshotConfiguration() {
        return new Snapshot();
    }

    /** Made by Flink by its name. */
    public static final class Snapshot extends SimpleTypeSerializerSnapshot<EventBatch> {
        /** For Flink. */
        public Snapshot() {
            super(() -> INSTANCE);
        }
    }
}
