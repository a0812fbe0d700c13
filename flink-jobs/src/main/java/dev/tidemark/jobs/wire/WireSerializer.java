package dev.tidemark.jobs.wire;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.flink.api.common.typeutils.base.TypeSerializerSingleton;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.jspecify.annotations.Nullable;

/** A serializer of immutable elements. */
abstract class WireSerializer<T> extends TypeSerializerSingleton<T> {
    private static final long serialVersionUID = 1;
    private static final int VARIABLE_LENGTH = -1;
    private static final int NULL_LENGTH = -1;

    @Override
    public final boolean isImmutableType() {
        return true;
    }

    @Override
    public final T copy(T from) {
        return from;
    }

    @Override
    public final T copy(T from, T reuse) {
        return from;
    }

    @Override
    public final int getLength() {
        return VARIABLE_LENGTH;
    }

    @Override
    public final T deserialize(T reuse, DataInputView source) throws IOException {
        return deserialize(source);
    }

    @Override
    public final void copy(DataInputView source, DataOutputView target) throws IOException {
        serialize(deserialize(source), target);
    }

    static void writeBytes(byte[] bytes, DataOutputView target) throws IOException {
        target.writeInt(bytes.length);
        target.write(bytes);
    }

    static byte[] readBytes(DataInputView source) throws IOException {
        byte[] bytes = new byte[source.readInt()];
        source.readFully(bytes);
        return bytes;
    }

    /** Text of any length; {@code writeUTF} ends at 64 KiB. */
    static void writeText(@Nullable String text, DataOutputView target) throws IOException {
        if (text == null) {
            target.writeInt(NULL_LENGTH);
        } else {
            writeBytes(text.getBytes(StandardCharsets.UTF_8), target);
        }
    }

    static @Nullable String readNullableText(DataInputView source) throws IOException {
        int length = source.readInt();
        if (length == NULL_LENGTH) {
            return null;
        }
        byte[] bytes = new byte[length];
        source.readFully(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    static String readText(DataInputView source) throws IOException {
        String text = readNullableText(source);
        if (text == null) {
            throw new IOException("a text is missing");
        }
        return text;
    }
}
