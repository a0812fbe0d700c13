package dev.tidemark.jobs.wire;

import dev.tidemark.replay.InboundRecord;

/**
 * A record whose head could be read.
 *
 * @param sessionId the session that it belongs to, a UUID in lower case
 * @param record the record
 */
public record SessionRecord(String sessionId, InboundRecord record) {}
