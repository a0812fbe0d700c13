package dev.tidemark.jobs.wire;

import java.io.IOException;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

final class DeadLetterSerializer extends WireSerializer<DeadLetter> {
    private static final long serialVersionUID = 1;
    static final DeadLetterSerializer INSTANCE = new DeadLetterSerializer();

    @Override
    public DeadLetter createInstance() {
        return new DeadLetter(InboundRecordSerializer.INSTANCE.createInstance(), "");
    }

    @Override
    public void serialize(DeadLetter letter, DataOutputView target) throws IOException {
        InboundRecordSerializer.INSTANCE.serialize(letter.record(), target);
        writeText(letter.reason(), target);
    }

    @Override
    public DeadLetter deserialize(DataInputView source) throws IOException {
        return new DeadLetter(
                InboundRecordSerializer.INSTANCE.deserialize(source), readText(source));
    }

    @Override
    public TypeSerializerSnapshot<DeadLetter> snapshotConfiguration() {
        return new Snapshot();
    }

    /** Made by Flink by its name. */
    public static final class Snapshot extends SimpleTypeSerializerSnapshot<DeadLetter> {
        /** For Flink. */
        public Snapshot() {
            super(() -> INSTANCE);
        }
    }
}
