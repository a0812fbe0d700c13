package dev.tidemark.jobs.parquet;

import dev.tidemark.replay.EventBatch;
import dev.tidemark.replay.LakeRow;
import dev.tidemark.schemas.lake.LakeTable;
import dev.tidemark.schemas.lake.LakeTables;
import java.io.IOException;
import java.time.LocalDate;
import org.apache.flink.api.common.serialization.BulkWriter;
import org.apache.flink.connector.file.sink.FileSink;
import org.apache.flink.core.fs.FSDataOutputStream;
import org.apache.flink.core.fs.Path;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.streaming.api.functions.sink.filesystem.BucketAssigner;
import org.apache.flink.streaming.api.functions.sink.filesystem.OutputFileConfig;
import org.apache.flink.streaming.api.functions.sink.filesystem.bucketassigners.SimpleVersionedStringSerializer;
import org.apache.flink.streaming.api.functions.sink.filesystem.rollingpolicies.OnCheckpointRollingPolicy;
import org.apache.parquet.hadoop.ParquetWriter;
import org.jspecify.annotations.Nullable;

/** The file sinks of the lake. One sink writes rows of any tables, each into its own folder. */
public final class LakeSinks {
    private static final OutputFileConfig FILES =
            OutputFileConfig.builder().withPartPrefix("part").withPartSuffix(".parquet").build();

    private LakeSinks() {}

    /** A sink of rows of any table but {@code events}. */
    public static FileSink<LakeRow> rows(Path lake) {
        return sink(lake, RowWriter::new, new RowBuckets());
    }

    /** A sink of {@code events}. */
    public static FileSink<EventBatch> events(Path lake) {
        return sink(lake, EventWriter::new, new EventBuckets());
    }

    private static <T> FileSink<T> sink(
            Path lake, BulkWriter.Factory<T> writers, BucketAssigner<T, String> buckets) {
        return FileSink.forBulkFormat(lake, writers)
                .withBucketAssigner(buckets)
                .withRollingPolicy(OnCheckpointRollingPolicy.build())
                .withOutputFileConfig(FILES)
                .build();
    }

    /** The folder of a table's rows of one day and load, below the lake's root. */
    static String folder(LakeTable table, int day, String loadId) {
        return table.name()
                + "/"
                + LakeTable.DAY
                + "="
                + LocalDate.ofEpochDay(day)
                + "/"
                + LakeTable.LOAD
                + "="
                + loadId;
    }

    private abstract static class Buckets<T> implements BucketAssigner<T, String> {
        private static final long serialVersionUID = 1;

        @Override
        public SimpleVersionedSerializer<String> getSerializer() {
            return SimpleVersionedStringSerializer.INSTANCE;
        }
    }

    private static final class RowBuckets extends Buckets<LakeRow> {
        private static final long serialVersionUID = 1;

        @Override
        public String getBucketId(LakeRow row, Context context) {
            return folder(row.table(), row.day(), row.loadId());
        }
    }

    private static final class EventBuckets extends Buckets<EventBatch> {
        private static final long serialVersionUID = 1;

        @Override
        public String getBucketId(EventBatch batch, Context context) {
            return folder(LakeTables.EVENTS, batch.day(), batch.loadId());
        }
    }

    /** A file of rows; its table is that of the first one. */
    private static final class RowWriter implements BulkWriter<LakeRow> {
        private final FSDataOutputStream stream;
        private @Nullable ParquetWriter<LakeRow> file;

        RowWriter(FSDataOutputStream stream) {
            this.stream = stream;
        }

        @Override
        public void addElement(LakeRow row) throws IOException {
            if (file == null) {
                file = LakeWriters.open(stream, new RowWriteSupport(row.table()));
            }
            file.write(row);
        }

        @Override
        public void flush() {
            // Parquet is written a row group at a time; finish writes the last.
        }

        @Override
        public void finish() throws IOException {
            if (file != null) {
                file.close();
            }
        }
    }

    /** A file of events. */
    private static final class EventWriter implements BulkWriter<EventBatch> {
        private final ParquetWriter<EventWriteSupport.Cursor> file;

        EventWriter(FSDataOutputStream stream) throws IOException {
            file = LakeWriters.open(stream, new EventWriteSupport());
        }

        @Override
        public void addElement(EventBatch batch) throws IOException {
            EventWriteSupport.Cursor cursor = new EventWriteSupport.Cursor(batch);
            for (; cursor.row < batch.size(); cursor.row++) {
                file.write(cursor);
            }
        }

        @Override
        public void flush() {
            // Parquet is written a row group at a time; finish writes the last.
        }

        @Override
        public void finish() throws IOException {
            file.close();
        }
    }
}
