/**
 * Where the stream goes: a broker, or a recording. A {@link dev.tidemark.ingest.sink.TraceSink}
 * takes whole records in order; it may hold them back for a while but never reorders or alters
 * them.
 */
@NullMarked
package dev.tidemark.ingest.sink;

import org.jspecify.annotations.NullMarked;
