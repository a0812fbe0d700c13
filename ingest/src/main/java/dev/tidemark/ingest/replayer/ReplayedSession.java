package dev.tidemark.ingest.replayer;

import dev.tidemark.schemas.avro.ReplayOutcome;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A session that a replay made.
 *
 * @param sessionId the new session
 * @param recording where it stands, ready to be ingested
 * @param outcome how late it was, and its memory; all null when it was refused
 * @param refusal why the arm was refused; empty when it was not
 * @param counted calls as the replayer counted them one by one; all 0 in a plain round
 * @param longestCalls calls of over 4.2 s, which stand in the session with that
 */
public record ReplayedSession(
        String sessionId,
        Path recording,
        ReplayOutcome outcome,
        Optional<String> refusal,
        CallTotals counted,
        long longestCalls) {}
