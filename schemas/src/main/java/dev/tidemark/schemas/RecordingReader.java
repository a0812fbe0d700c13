package dev.tidemark.schemas;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import com.github.luben.zstd.ZstdInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Reads a recording: an Avro object container file (Avro specification, "Object container files")
 * with the codec null, deflate or zstandard, whatever tool wrote it. It reads by itself where
 * Avro's own reader would do, since a recording may come from anywhere: no length in the file makes
 * it allocate more than the file's size or {@link #MAX_BLOCK_BYTES}, and damage in one block costs
 * that block alone. One thread.
 *
 * <p>{@link #next()} hands out every whole record in order. At damage it throws a {@link
 * TraceFormatException} that says where, and the next call goes on behind the damage, at the
 * following sync marker, or ends.
 */
public final class RecordingReader implements Closeable {
    /**
     * The largest block that is read, packed and unpacked. Our own writer's have 256 KiB and one
     * record.
     */
    public static final int MAX_BLOCK_BYTES = 64 << 20;

    private static final byte[] MAGIC = {'O', 'b', 'j', 1};
    private static final int SYNC_BYTES = 16;
    private static final int MAX_HEADER_BYTES = 4 << 20;
    private static final int MAX_VARINT_BYTES = 10;
    private static final int MAX_MESSAGE = 300;
    private static final int MIN_WINDOW = 256;
    private static final int MAX_WINDOW = 1 << 16;

    /** Room is made at once for so much in each packed byte; what says it has more is tried. */
    private static final int USUAL_PACKING = 64;

    private final Path path;
    private final RandomAccessFile file;
    private final long fileBytes;
    private final Schema schema;
    private final String codec;
    private final byte[] sync;
    private final byte[] header;
    private final long fingerprint;

    private long blockOffset;
    private long recordsInBlock;
    private AvroCursor block = new AvroCursor(new byte[0], 0, 0);

    /**
     * Opens a recording and reads its header.
     *
     * @param schemas learns the file's schema, so that a {@link TraceDecoder} over it reads the
     *     records
     * @throws TraceFormatException when the file is no recording
     * @throws IOException when the file can't be read
     */
    public RecordingReader(Path path, SchemaCatalog schemas) throws IOException {
        this.path = path;
        file = new RandomAccessFile(path.toFile(), "r");
        try {
            fileBytes = file.length();
            AvroCursor head =
                    new AvroCursor(
                            readAt(0, (int) Math.min(fileBytes, MAX_HEADER_BYTES)),
                            0,
                            (int) Math.min(fileBytes, MAX_HEADER_BYTES));
            Map<String, byte[]> metadata = readMetadata(head);
            String json = text(metadata.getOrDefault("avro.schema", new byte[0]));
            codec =
                    text(
                            metadata.getOrDefault(
                                    "avro.codec", "null".getBytes(StandardCharsets.UTF_8)));
            fingerprint = learn(schemas, json);
            schema = knownSchema(schemas);
            header = TraceSchemas.header(fingerprint);
            sync = readSync(head);
            blockOffset = head.position;
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    /** The schema that the file was written with, as its fingerprint. */
    public long fingerprint() {
        return fingerprint;
    }

    /** The schema that the file was written with. */
    public Schema schema() {
        return schema;
    }

    /**
     * The next record in single-object encoding, or null at the end.
     *
     * @throws TraceFormatException at damage; the next call goes on behind it
     * @throws IOException when the file can't be read
     */
    public byte @Nullable [] next() throws IOException {
        while (recordsInBlock == 0) {
            if (block.remaining() > 0) {
                int left = block.remaining();
                block = new AvroCursor(new byte[0], 0, 0);
                throw damage(
                        "block before byte "
                                + blockOffset
                                + " has "
                                + left
                                + " bytes behind its last record");
            }
            if (blockOffset >= fileBytes) {
                return null;
            }
            readBlock();
        }
        int start = block.position;
        try {
            block.skip(schema);
        } catch (TraceFormatException e) {
            long lost = recordsInBlock;
            recordsInBlock = 0;
            block = new AvroCursor(new byte[0], 0, 0);
            throw damage(
                    "block before byte "
                            + blockOffset
                            + ": "
                            + lost
                            + " records are not readable: "
                            + e.getMessage());
        }
        recordsInBlock--;
        byte[] record = Arrays.copyOf(header, header.length + block.position - start);
        System.arraycopy(block.bytes, start, record, header.length, block.position - start);
        return record;
    }

    @Override
    public void close() throws IOException {
        file.close();
    }

    private void readBlock() throws IOException {
        long at = blockOffset;
        try {
            AvroCursor head = cursorAt(at, 2 * MAX_VARINT_BYTES);
            long records = head.readLong();
            long length = head.readLong();
            long dataAt = at + head.position;
            long end = dataAt + length + SYNC_BYTES;
            if (records < 0 || length < 0 || length > MAX_BLOCK_BYTES) {
                throw new TraceFormatException(
                        "a block of "
                                + records
                                + " records in "
                                + length
                                + " bytes; at most "
                                + MAX_BLOCK_BYTES
                                + " are read");
            }
            if (end > fileBytes) {
                throw new TraceFormatException(
                        "the file ends "
                                + (end - fileBytes)
                                + " bytes before the block does; it was cut or is still being written");
            }
            if (!Arrays.equals(readAt(end - SYNC_BYTES, SYNC_BYTES), sync)) {
                throw new TraceFormatException(
                        "the block is not followed by the file's sync marker");
            }
            blockOffset = end;
            byte[] data = unpack(readAt(dataAt, (int) length));
            block = new AvroCursor(data, 0, data.length);
            recordsInBlock = records;
        } catch (TraceFormatException e) {
            if (blockOffset == at) {
                blockOffset = nextBlockAfter(at);
            }
            throw damage("block at byte " + at + ": " + e.getMessage());
        }
    }

    /**
     * Where the block behind the next sync marker begins, or the file's end. It looks no farther
     * than about twice as far as it must, as there may be a marker every few bytes.
     */
    private long nextBlockAfter(long offset) throws IOException {
        int step = MIN_WINDOW;
        for (long at = offset; at < fileBytes; at += step, step = Math.min(2 * step, MAX_WINDOW)) {
            byte[] window = readAt(at, (int) Math.min(fileBytes - at, step + SYNC_BYTES - 1L));
            for (int i = 0; i + SYNC_BYTES <= window.length; i++) {
                if (Arrays.equals(window, i, i + SYNC_BYTES, sync, 0, SYNC_BYTES)) {
                    return at + i + SYNC_BYTES;
                }
            }
        }
        return fileBytes;
    }

    private byte[] unpack(byte[] data) throws IOException {
        return switch (codec) {
            case "null" -> data;
            case "zstandard" -> unpackZstd(data);
            default -> inflate(data);
        };
    }

    private static byte[] inflate(byte[] data) throws IOException {
        Inflater raw = new Inflater(true);
        try {
            return readBounded(new InflaterInputStream(new ByteArrayInputStream(data), raw));
        } finally {
            raw.end();
        }
    }

    private static byte[] unpackZstd(byte[] data) throws IOException {
        long size = Zstd.getFrameContentSize(data);
        try {
            if (size > 0 && size <= Math.min(MAX_BLOCK_BYTES, (long) USUAL_PACKING * data.length)) {
                return Zstd.decompress(data, (int) size);
            }
            return readBounded(new ZstdInputStream(new ByteArrayInputStream(data)));
        } catch (ZstdException e) {
            throw new TraceFormatException("its zstd data is damaged: " + e.getMessage(), e);
        }
    }

    private static byte[] readBounded(InputStream in) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] chunk = new byte[1 << 16];
        try (in) {
            for (int n = in.read(chunk); n >= 0; n = in.read(chunk)) {
                out.write(chunk, 0, n);
                if (out.size() > MAX_BLOCK_BYTES) {
                    throw new TraceFormatException(
                            "it unpacks to more than " + MAX_BLOCK_BYTES + " bytes");
                }
            }
        } catch (TraceFormatException e) {
            throw e;
        } catch (IOException e) {
            throw new TraceFormatException("its packed data is damaged: " + e.getMessage(), e);
        }
        return out.toByteArray();
    }

    private Map<String, byte[]> readMetadata(AvroCursor head) throws TraceFormatException {
        if (head.remaining() < MAGIC.length
                || !Arrays.equals(head.bytes, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
            String found =
                    fileBytes == 0
                            ? "it is empty"
                            : "it does not begin with Obj1, as an Avro container file does";
            throw new TraceFormatException(path + ": not a recording: " + found);
        }
        head.position = MAGIC.length;
        Map<String, byte[]> metadata = new HashMap<>();
        try {
            for (int count = head.readItemCount("metadata");
                    count > 0;
                    count = head.readItemCount("metadata")) {
                for (int i = 0; i < count; i++) {
                    String key = head.readString();
                    int length = head.readLength("a metadata value");
                    metadata.put(
                            key,
                            Arrays.copyOfRange(head.bytes, head.position, head.position + length));
                    head.position += length;
                }
            }
        } catch (TraceFormatException e) {
            throw damage("header: " + e.getMessage());
        }
        return metadata;
    }

    private long learn(SchemaCatalog schemas, String json) throws TraceFormatException {
        if (!codec.equals("null") && !codec.equals("deflate") && !codec.equals("zstandard")) {
            throw damage("codec " + codec + " is not read; use null, deflate or zstandard");
        }
        try {
            return schemas.add(json);
        } catch (TraceFormatException e) {
            throw damage("header: " + e.getMessage());
        }
    }

    private Schema knownSchema(SchemaCatalog schemas) throws TraceFormatException {
        Schema found = schemas.find(fingerprint);
        if (found == null) {
            throw damage(
                    "header: schema " + TraceSchemas.fingerprintKey(fingerprint) + " was not kept");
        }
        return found;
    }

    private byte[] readSync(AvroCursor head) throws TraceFormatException {
        if (head.remaining() < SYNC_BYTES) {
            throw damage("header: the file ends at byte " + fileBytes + ", before the sync marker");
        }
        head.position += SYNC_BYTES;
        return Arrays.copyOfRange(head.bytes, head.position - SYNC_BYTES, head.position);
    }

    private AvroCursor cursorAt(long offset, int atMost) throws IOException {
        byte[] bytes = readAt(offset, (int) Math.min(fileBytes - offset, atMost));
        return new AvroCursor(bytes, 0, bytes.length);
    }

    private byte[] readAt(long offset, int length) throws IOException {
        byte[] bytes = new byte[length];
        file.seek(offset);
        file.readFully(bytes);
        return bytes;
    }

    /** One short line, also where it quotes what the file says, such as a key of its metadata. */
    private TraceFormatException damage(String what) {
        String line = what.replaceAll("[^\\p{Print}]+", "?");
        String shown = line.length() > MAX_MESSAGE ? line.substring(0, MAX_MESSAGE) + "..." : line;
        return new TraceFormatException(path + ": " + shown);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
