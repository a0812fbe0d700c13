package dev.tidemark.jobs.wire;

import dev.tidemark.replay.EventBatch;
import dev.tidemark.replay.InboundRecord;
import dev.tidemark.replay.LakeRow;
import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.jspecify.annotations.Nullable;

/** The types of what goes between operators. */
public final class WireType<T> extends TypeInformation<T> {
    private static final long serialVersionUID = 1;

    /** Records as the broker gave them. */
    public static final WireType<InboundRecord> INBOUND =
            new WireType<>(InboundRecord.class, InboundRecordSerializer.INSTANCE);

    /** Records whose session is known. */
    public static final WireType<SessionRecord> SESSION_RECORD =
            new WireType<>(SessionRecord.class, SessionRecordSerializer.INSTANCE);

    /** Records that could not be read. */
    public static final WireType<DeadLetter> DEAD_LETTER =
            new WireType<>(DeadLetter.class, DeadLetterSerializer.INSTANCE);

    /** Rows. */
    public static final WireType<LakeRow> ROW =
            new WireType<>(LakeRow.class, LakeRowSerializer.INSTANCE);

    /** Rows of {@code events} in columns. */
    public static final WireType<EventBatch> EVENTS =
            new WireType<>(EventBatch.class, EventBatchSerializer.INSTANCE);

    /** Pages of a session's state. */
    public static final WireType<byte[]> PAGE =
            new WireType<>(byte[].class, PageSerializer.INSTANCE);

    private final Class<T> type;
    private final TypeSerializer<T> serializer;

    private WireType(Class<T> type, TypeSerializer<T> serializer) {
        this.type = type;
        this.serializer = serializer;
    }

    @Override
    public TypeSerializer<T> createSerializer(SerializerConfig config) {
        return serializer;
    }

    @Override
    public Class<T> getTypeClass() {
        return type;
    }

    @Override
    public boolean isBasicType() {
        return false;
    }

    @Override
    public boolean isTupleType() {
        return false;
    }

    @Override
    public boolean isKeyType() {
        return false;
    }

    @Override
    public int getArity() {
        return 1;
    }

    @Override
    public int getTotalFields() {
        return 1;
    }

    @Override
    public String toString() {
        return type.getSimpleName();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof WireType<?> wire && wire.type == type;
    }

    @Override
    public int hashCode() {
        return type.hashCode();
    }

    @Override
    public boolean canEqual(Object other) {
        return other instanceof WireType;
    }
}
