package dev.tidemark.ingest.agent;

import org.jspecify.annotations.Nullable;

/**
 * What an agent has done so far, over all sessions.
 *
 * @param sessions begun
 * @param openSessions of these, still open
 * @param events sent or held back, marks included
 * @param droppedEvents lost before they could be read
 * @param frames and ticks seen
 * @param liveBytes of the open sessions
 * @param residentBytes of the open sessions, by their newest samples; 0 before the first
 * @param ringFillRatio how full the fullest ring was lately, 0 to 1
 * @param lastError the newest error in one line, or null
 */
public record AgentStatus(
        long sessions,
        long openSessions,
        long events,
        long droppedEvents,
        long frames,
        long ticks,
        long liveBytes,
        long residentBytes,
        double ringFillRatio,
        @Nullable String lastError) {}
