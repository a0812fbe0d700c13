package dev.tidemark.jobs.wire;

import dev.tidemark.replay.InboundRecord;

/**
 * A record that could not be read.
 *
 * @param record the record
 * @param reason one line
 */
public record DeadLetter(InboundRecord record, String reason) {}
