package dev.tidemark.jobs.wire;

import java.io.IOException;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

final class SessionRecordSerializer extends WireSerializer<SessionRecord> {
    private static final long serialVersionUID = 1;
    static final SessionRecordSerializer INSTANCE = new SessionRecordSerializer();

    @Override
    public SessionRecord createInstance() {
        return new SessionRecord("", InboundRecordSerializer.INSTANCE.createInstance());
    }

    @Override
    public void serialize(SessionRecord element, DataOutputView target) throws IOException {
        writeText(element.sessionId(), target);
        InboundRecordSerializer.INSTANCE.serialize(element.record(), target);
    }

    @Override
    public SessionRecord deserialize(DataInputView source) throws IOException {
        return new SessionRecord(
                readText(source), InboundRecordSerializer.INSTANCE.deserialize(source));
    }

    @Override
    public TypeSerializerSnapshot<SessionRecord> snapshotConfiguration() {
        return new Snapshot();
    }

    /** Made by Flink by its name. */
    public static final class Snapshot extends SimpleTypeSerializerSnapshot<SessionRecord> {
        /** For Flink. */
        public Snapshot() {
            super(() -> INSTANCE);
        }
    }
}
