package dev.tidemark.ingest.agent;

/** Told what an agent meets, on the agent's thread: don't wait in it. */
public interface AgentListener {
    /** A listener that doesn't. */
    AgentListener NONE = new AgentListener() {};

    /** A process's image is being recorded. */
    default void sessionStarted(String sessionId, int pid, String title) {}

    /** A session has ended and everything of it is sent. */
    default void sessionEnded(SessionSummary summary) {}

    /** A process could not be recorded, or a ring file not read; one line. */
    default void error(String line) {}
}
