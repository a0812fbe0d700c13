package dev.tidemark.jobs.parquet;

import com.github.luben.zstd.Zstd;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.compression.CompressionCodecFactory;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;

/** Compresses pages with zstd-jni. Parquet's own factory goes through Hadoop's codecs. */
final class ZstdCodecFactory implements CompressionCodecFactory {
    private static final int LEVEL = 3;

    @Override
    public BytesInputCompressor getCompressor(CompressionCodecName codec) {
        requireZstd(codec);
        return new Compressor();
    }

    @Override
    public BytesInputDecompressor getDecompressor(CompressionCodecName codec) {
        requireZstd(codec);
        return new Decompressor();
    }

    @Override
    public void release() {
        // Nothing is kept.
    }

    private static void requireZstd(CompressionCodecName codec) {
        if (codec != CompressionCodecName.ZSTD) {
            throw new IllegalArgumentException("codec " + codec + ": the lake is written in zstd");
        }
    }

    private static byte[] copy(BytesInput bytes) throws IOException {
        ByteArrayOutputStream copy = new ByteArrayOutputStream(Math.toIntExact(bytes.size()));
        bytes.writeAllTo(copy);
        return copy.toByteArray();
    }

    private static final class Compressor implements BytesInputCompressor {
        @Override
        public BytesInput compress(BytesInput bytes) throws IOException {
            return BytesInput.from(Zstd.compress(copy(bytes), LEVEL));
        }

        @Override
        public CompressionCodecName getCodecName() {
            return CompressionCodecName.ZSTD;
        }

        @Override
        public void release() {
            // Nothing is kept.
        }
    }

    private static final class Decompressor implements BytesInputDecompressor {
        @Override
        public BytesInput decompress(BytesInput bytes, int size) throws IOException {
            return BytesInput.from(Zstd.decompress(copy(bytes), size));
        }

        @Override
        public void decompress(ByteBuffer in, int inSize, ByteBuffer out, int outSize) {
            byte[] packed = new byte[inSize];
            in.get(packed);
            out.put(Zstd.decompress(packed, outSize));
        }

        @Override
        public void release() {
            // Nothing is kept.
        }
    }
}
