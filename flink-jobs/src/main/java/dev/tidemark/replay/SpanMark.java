package dev.tidemark.replay;

import dev.tidemark.schemas.avro.MarkKind;

/**
 * The end of a frame or tick, and the begin of the next.
 *
 * @param ordinal number of the one that begins; when numbers are missing, what ends is several in
 *     one, and not complete
 * @param thread thread that marked
 * @param involuntarySwitches of all threads since the session's start, {@link #UNKNOWN} when not
 *     counted
 */
record SpanMark(MarkKind kind, long ordinal, long atNs, int thread, long involuntarySwitches) {
    static final long UNKNOWN = -1;
}
