package dev.tidemark.jobs.wire;

import java.io.IOException;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

final class PageSerializer extends WireSerializer<byte[]> {
    private static final long serialVersionUID = 1;
    static final PageSerializer INSTANCE = new PageSerializer();

    @Override
    public byte[] createInstance() {
        return new byte[0];
    }

    @Override
    public void serialize(byte[] page, DataOutputView target) throws IOException {
        writeBytes(page, target);
    }

    @Override
    public byte[] deserialize(DataInputView source) throws IOException {
        return readBytes(source);
    }

    @Override
    public TypeSerializerSnapshot<byte[]> snapshotConfiguration() {
        return new Snapshot();
    }

    /** Made by Flink by its name. */
    public static final class Snapshot extends SimpleTypeSerializerSnapshot<byte[]> {
        /** For Flink. */
        public Snapshot() {
            super(() -> INSTANCE);
        }
    }
}
