package dev.tidemark.deploy.record;

import dev.tidemark.deploy.ExitCode;
import dev.tidemark.deploy.Failure;
import dev.tidemark.deploy.TemporaryFolder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The folder in which a recorded process makes its rings: where it is wanted, else in shared memory
 * where there is any, else among the temporary files. Anyone may add a file, nobody may list or
 * take another's (mode 01733), since a recorded process may become another user before its first
 * call.
 */
final class RingFolder implements AutoCloseable {
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");
    private static final int ADD_ONLY = 01733;

    /** The recorder's own limit of 512, less the longest name of a file in it. */
    private static final int MAX_PATH_BYTES = 440;

    private final TemporaryFolder folder;

    private RingFolder(TemporaryFolder folder) {
        this.folder = folder;
    }

    /**
     * Makes one; no room for rings, or no place for a folder, is a {@link Failure}.
     *
     * @param wanted where; empty for the usual place
     * @param space what must fit there
     */
    static RingFolder create(Optional<Path> wanted, RingSpace space) throws IOException {
        Path parent = wanted.map(RingFolder::checked).orElseGet(RingFolder::usual);
        space.require(parent);
        TemporaryFolder folder = TemporaryFolder.below(parent, "rings");
        try {
            Files.setAttribute(folder.path(), "unix:mode", ADD_ONLY);
            return new RingFolder(folder);
        } catch (IOException e) {
            folder.close();
            throw e;
        }
    }

    private static Path usual() {
        return Files.isWritable(SHARED_MEMORY)
                ? SHARED_MEMORY
                : Path.of(System.getProperty("java.io.tmpdir"));
    }

    private static Path checked(Path wanted) {
        Path folder = wanted.toAbsolutePath();
        if (!Files.isDirectory(folder)) {
            throw notUsable(folder, "no such folder; make it first");
        }
        if (!Files.isWritable(folder)) {
            throw notUsable(folder, "can't be written to");
        }
        int length = folder.toString().getBytes(StandardCharsets.UTF_8).length;
        if (length > MAX_PATH_BYTES) {
            throw notUsable(
                    folder,
                    "a path of %d bytes, more than the %d that the recorder takes"
                            .formatted(length, MAX_PATH_BYTES));
        }
        return folder;
    }

    private static Failure notUsable(Path folder, String why) {
        return new Failure(ExitCode.NOT_RECORDED, "--ring-dir " + folder + ": " + why);
    }

    Path path() {
        return folder.path();
    }

    @Override
    public void close() {
        folder.close();
    }
}
