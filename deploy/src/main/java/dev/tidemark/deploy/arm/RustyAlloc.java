package dev.tidemark.deploy.arm;

import dev.tidemark.deploy.Executables;
import dev.tidemark.deploy.Failure;
import dev.tidemark.deploy.Installation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The allocator rusty_alloc, which no distribution packages: our C entry points over the crate,
 * built with cargo when an arm asks for it and no library newer than its sources is there.
 */
final class RustyAlloc {
    private static final Pattern LOCKED =
            Pattern.compile("name = \"rusty_alloc\"\\s+version = \"([^\"]+)\"");
    private static final String CARGO = "cargo 1.85 or newer (https://rustup.rs)";

    private final Path sources;
    private final Path built;

    RustyAlloc(Path sources, Path built) {
        this.sources = sources;
        this.built = built;
    }

    /**
     * The library, built if need be; what is missing for that is a {@link Failure} of one line.
     *
     * @param arm for whom, in a message
     */
    static Path library(String arm) {
        Path root = Installation.root();
        RustyAlloc allocator =
                new RustyAlloc(
                        root.resolve("ingest/replayer/rusty_alloc"), root.resolve("ingest/target"));
        try {
            return allocator.library(arm, "cargo");
        } catch (IOException e) {
            throw Failure.missingHere(
                    "arm '%s': rusty_alloc can't be built: %s".formatted(arm, Failure.reason(e)));
        }
    }

    Path library(String arm, String cargo) throws IOException {
        Path library = built.resolve("native").resolve("librusty_alloc.so." + version());
        if (isNewest(library)) {
            return library;
        }
        if (!Executables.has(cargo)) {
            throw Failure.missingHere(
                    "arm '%s': rusty_alloc is built from source, which needs %s: not found"
                            .formatted(arm, CARGO));
        }
        build(arm, cargo);
        Files.createDirectories(built.resolve("native"));
        Path made = library.resolveSibling(library.getFileName() + ".new");
        Files.copy(
                built.resolve("rusty_alloc/release/librusty_alloc_c.so"),
                made,
                StandardCopyOption.REPLACE_EXISTING);
        return Files.move(made, library, StandardCopyOption.ATOMIC_MOVE);
    }

    /** The crate's version, which the library's file is named after, so that sessions say it. */
    private String version() throws IOException {
        Path lock = sources.resolve("Cargo.lock");
        Matcher version = LOCKED.matcher(Files.readString(lock));
        if (!version.find()) {
            throw new IOException(lock + " does not name rusty_alloc");
        }
        return version.group(1);
    }

    private boolean isNewest(Path library) throws IOException {
        if (!Files.isReadable(library)) {
            return false;
        }
        for (String source : List.of("Cargo.lock", "Cargo.toml", "src/lib.rs")) {
            Path file = sources.resolve(source);
            if (Files.getLastModifiedTime(file).compareTo(Files.getLastModifiedTime(library)) > 0) {
                return false;
            }
        }
        return true;
    }

    private void build(String arm, String cargo) throws IOException {
        Path log = Files.createDirectories(built).resolve("rusty_alloc.log");
        ProcessBuilder builder =
                new ProcessBuilder(
                                cargo,
                                "build",
                                "--release",
                                "--locked",
                                "--manifest-path",
                                sources.resolve("Cargo.toml").toString(),
                                "--target-dir",
                                built.resolve("rusty_alloc").toString())
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile());
        builder.environment().remove("LD_PRELOAD");
        if (exitCode(builder.start()) == 0) {
            return;
        }
        try (Stream<String> lines = Files.lines(log)) {
            String error = lines.filter(line -> line.startsWith("error")).findFirst().orElse("");
            throw Failure.missingHere(
                    "arm '%s': rusty_alloc could not be built, which needs %s and the crates' registry: %s (%s)"
                            .formatted(arm, CARGO, error, log));
        }
    }

    private static int exitCode(Process process) throws IOException {
        try {
            return process.waitFor();
        } catch (InterruptedException e) {
            process.destroy();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
