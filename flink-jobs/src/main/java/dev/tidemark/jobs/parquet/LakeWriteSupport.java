package dev.tidemark.jobs.parquet;

import dev.tidemark.schemas.lake.LakeTable;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.hadoop.api.WriteSupport;
import org.apache.parquet.io.api.RecordConsumer;
import org.apache.parquet.schema.MessageTypeParser;
import org.jspecify.annotations.Nullable;

/** Writes messages of a table's schema. */
abstract class LakeWriteSupport<T> extends WriteSupport<T> {
    private final WriteContext context;
    private @Nullable RecordConsumer out;

    LakeWriteSupport(LakeTable table) {
        context =
                new WriteContext(
                        MessageTypeParser.parseMessageType(table.parquetSchema()), Map.of());
    }

    @Override
    public final WriteContext init(ParquetConfiguration configuration) {
        return context;
    }

    @Override
    @SuppressWarnings("deprecation") // abstract, and so to be there; the other one is called
    public final WriteContext init(Configuration configuration) {
        return context;
    }

    @Override
    public final void prepareForWrite(RecordConsumer recordConsumer) {
        out = recordConsumer;
    }

    @Override
    public final void write(T message) {
        RecordConsumer to = Objects.requireNonNull(out, "prepareForWrite comes first");
        to.startMessage();
        writeFields(message, to);
        to.endMessage();
    }

    /** Writes the fields that are not NULL, in order. */
    abstract void writeFields(T message, RecordConsumer to);
}
