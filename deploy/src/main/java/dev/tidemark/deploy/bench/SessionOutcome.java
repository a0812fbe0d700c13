package dev.tidemark.deploy.bench;

import org.jspecify.annotations.Nullable;

/**
 * A session that has ended.
 *
 * @param sessionId its id
 * @param seconds that making it took
 * @param fault why its round does not count, such as being late; null when it does
 * @param refused why its arm can't be measured at all; null when it can
 */
public record SessionOutcome(
        String sessionId, double seconds, @Nullable String fault, @Nullable String refused) {}
