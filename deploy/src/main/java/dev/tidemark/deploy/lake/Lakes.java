package dev.tidemark.deploy.lake;

import dev.tidemark.deploy.ExitCode;
import dev.tidemark.deploy.Failure;
import dev.tidemark.sql.Lake;
import dev.tidemark.sql.LakeException;
import java.io.IOException;
import java.nio.file.Path;

/** Opens lakes for commands: what is wrong with one is bad input. */
public final class Lakes {
    private Lakes() {}

    /** The lake to write into, made where there is none. */
    public static Lake create(Path folder) throws IOException {
        try {
            return Lake.create(folder);
        } catch (LakeException e) {
            throw badInput(e);
        }
    }

    /** The lake to read. */
    public static Lake open(Path folder) {
        try {
            return Lake.open(folder);
        } catch (LakeException e) {
            throw badInput(e);
        }
    }

    private static Failure badInput(LakeException e) {
        return new Failure(ExitCode.BAD_INPUT, String.valueOf(e.getMessage()), e);
    }
}
