package dev.tidemark.deploy;

import java.nio.file.Files;
import java.nio.file.Path;

/** Where the project's own files are: the folder that holds the launcher. */
public final class Installation {
    private Installation() {}

    /** The project's root: what the launcher says, else the working folder. */
    public static Path root() {
        return Path.of(System.getProperty("tidemark.home", "")).toAbsolutePath().normalize();
    }

    /** The recorder's library; missing here when it was not built. */
    public static Path recorder() {
        Path library = recorderPath();
        if (!Files.isReadable(library)) {
            throw Failure.missingHere(
                    library
                            + " is missing: run ./tidemark from the project's root, which builds it");
        }
        return library;
    }

    /** Where the build puts the recorder's library. */
    public static Path recorderPath() {
        return root().resolve("ingest/target/native/libtidemark.so");
    }
}
