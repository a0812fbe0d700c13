package dev.tidemark.deploy.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** Where finished sessions go between rounds. */
public interface SessionStore {
    /**
     * Takes them in; the same sessions a second time are not doubled.
     *
     * @param sessions recordings, by what is to be written into their heads
     */
    void load(Map<Path, SessionMarks> sessions) throws IOException;
}
