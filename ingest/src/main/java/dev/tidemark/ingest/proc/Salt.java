package dev.tidemark.ingest.proc;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * Random bytes of this agent's, so that names leave the host only as hashes that nobody reverses.
 */
public final class Salt {
    private static final int BYTES = 16;
    private static final int SHOWN_BYTES = 8;

    private final byte[] bytes;

    private Salt(byte[] bytes) {
        this.bytes = bytes.clone();
    }

    /**
     * Reads the salt, which is made at the first time, readable by its owner alone.
     *
     * @throws IOException when it can neither be read nor made
     */
    public static Salt readOrMake(Path path) throws IOException {
        if (!Files.exists(path)) {
            make(path);
        }
        byte[] bytes = Files.readAllBytes(path);
        if (bytes.length != BYTES) {
            throw new IOException(
                    "%s: a salt has %d bytes, this has %d: remove it and it is made anew"
                            .formatted(path, BYTES, bytes.length));
        }
        return new Salt(bytes);
    }

    private static void make(Path path) throws IOException {
        byte[] random = new byte[BYTES];
        new SecureRandom().nextBytes(random);
        Path folder = path.toAbsolutePath().getParent();
        Files.createDirectories(folder);
        Path made =
                Files.createTempFile(
                        folder,
                        ".salt",
                        null,
                        PosixFilePermissions.asFileAttribute(
                                PosixFilePermissions.fromString("rw-------")));
        Files.write(made, random);
        try {
            Files.createLink(path, made);
        } catch (FileAlreadyExistsException e) {
            // Another agent was faster: its salt is as good.
        } catch (UnsupportedOperationException e) {
            Files.move(made, path, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(made);
        }
    }

    /** A text's salted hash, 16 hexadecimal digits. */
    public String hash(String text) {
        try {
            MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
            sha256.update(bytes);
            byte[] digest = sha256.digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, SHOWN_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
