package dev.tidemark.deploy.record;

import dev.tidemark.deploy.TemporaryFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The folder in which a recorded process makes its rings: in shared memory where there is any, else
 * among the temporary files. Anyone may add a file, nobody may list or take another's (mode 01733),
 * since a recorded process may become another user before its first call.
 */
final class RingFolder implements AutoCloseable {
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");
    private static final int ADD_ONLY = 01733;

    private final TemporaryFolder folder;

    private RingFolder(TemporaryFolder folder) {
        this.folder = folder;
    }

    static RingFolder create() throws IOException {
        TemporaryFolder folder =
                Files.isWritable(SHARED_MEMORY)
                        ? TemporaryFolder.below(SHARED_MEMORY, "rings")
                        : TemporaryFolder.create("rings");
        try {
            Files.setAttribute(folder.path(), "unix:mode", ADD_ONLY);
            return new RingFolder(folder);
        } catch (IOException e) {
            folder.close();
            throw e;
        }
    }

    Path path() {
        return folder.path();
    }

    @Override
    public void close() {
        folder.close();
    }
}
