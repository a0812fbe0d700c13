package dev.tidemark.jobs.parquet;

import java.io.IOException;
import org.apache.flink.core.fs.FSDataOutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.api.WriteSupport;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;

/** Opens Parquet writers with the lake's settings. */
final class LakeWriters {
    private static final long ROW_GROUP_BYTES = 32L << 20;

    private LakeWriters() {}

    static <T> ParquetWriter<T> open(FSDataOutputStream stream, WriteSupport<T> support)
            throws IOException {
        return new Builder<>(stream, support)
                .withConf(new PlainParquetConfiguration())
                .withCodecFactory(new ZstdCodecFactory())
                .withCompressionCodec(CompressionCodecName.ZSTD)
                .withRowGroupSize(ROW_GROUP_BYTES)
                .build();
    }

    private static final class Builder<T> extends ParquetWriter.Builder<T, Builder<T>> {
        private final WriteSupport<T> support;

        Builder(FSDataOutputStream stream, WriteSupport<T> support) {
            super(new StreamOutputFile(stream));
            this.support = support;
        }

        @Override
        protected Builder<T> self() {
            return this;
        }

        @Override
        protected WriteSupport<T> getWriteSupport(ParquetConfiguration configuration) {
            return support;
        }

        @Override
        @SuppressWarnings("deprecation") // abstract, and so to be there; the other one is called
        protected WriteSupport<T> getWriteSupport(Configuration configuration) {
            return support;
        }
    }
}
