package dev.tidemark.deploy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * A folder, readable by its owner alone, that is removed with everything in it: on {@link #close},
 * or else when the JVM is told to end.
 */
public final class TemporaryFolder implements AutoCloseable {
    private final Path path;
    private final Thread atExit = new Thread(this::remove, "remove temporary folder");

    private TemporaryFolder(Path path) {
        this.path = path;
    }

    /** Makes {@code tidemark-NAME-*} below {@code parent}. */
    public static TemporaryFolder below(Path parent, String name) throws IOException {
        TemporaryFolder folder =
                new TemporaryFolder(Files.createTempDirectory(parent, "tidemark-" + name + "-"));
        try {
            Runtime.getRuntime().addShutdownHook(folder.atExit);
        } catch (IllegalStateException jvmIsEnding) {
            folder.remove();
            throw new Failure(
                    ExitCode.INTERNAL_ERROR, "told to end before it had begun", jvmIsEnding);
        }
        return folder;
    }

    /** Makes {@code tidemark-NAME-*} where the JVM keeps temporary files. */
    public static TemporaryFolder create(String name) throws IOException {
        return below(Path.of(System.getProperty("java.io.tmpdir")), name);
    }

    public Path path() {
        return path;
    }

    @Override
    public void close() {
        remove();
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException atExitRunsAlready) {
            return;
        }
    }

    private void remove() {
        try {
            Files.walkFileTree(path, new Remover());
        } catch (IOException e) {
            throw new UncheckedIOException("could not remove " + path, e);
        }
    }

    /** Removes files and then their folders; what has gone meanwhile is as good as removed. */
    private static final class Remover extends SimpleFileVisitor<Path> {
        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
            if (failure instanceof NoSuchFileException) {
                return FileVisitResult.CONTINUE;
            }
            throw failure;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException failure)
                throws IOException {
            if (failure != null) {
                throw failure;
            }
            Files.deleteIfExists(folder);
            return FileVisitResult.CONTINUE;
        }
    }
}
