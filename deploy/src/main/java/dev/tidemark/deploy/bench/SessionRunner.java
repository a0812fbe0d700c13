package dev.tidemark.deploy.bench;

import java.io.IOException;
import java.nio.file.Path;

/** Makes one session after the other. */
public interface SessionRunner {
    /**
     * Makes one and returns when nothing of it runs any more.
     *
     * @param recording to be written: the session's records, complete
     * @throws IOException when this machine can't; the bench ends and may be resumed
     */
    SessionOutcome run(SessionTask task, Path recording) throws IOException, InterruptedException;
}
