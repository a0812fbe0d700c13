package dev.tidemark.ingest.agent;

/** What becomes of threads' names: sent, sent as salted hashes, or not sent. */
public enum ThreadNames {
    KEEP,
    HASH,
    OFF
}
