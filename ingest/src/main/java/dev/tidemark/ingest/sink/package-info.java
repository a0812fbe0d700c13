/**
 * Where the stream goes: a broker, or a recording. A {@link dev.tidemark.ingest.sink.TraceSink}
 * takes whole records in order; it may hold them back for a while but never reorders or alters
 * them.
 *
 * <p>{@link dev.tidemark.ingest.sink.KafkaSink} is in one of two states. Direct: records go to the
 * producer and are kept until the broker has them. Away: those that the broker doesn't have and all
 * that come go to a {@code Spool}, recordings in a folder; a thread of its own looks for the
 * broker, sends the spool in order, and goes direct again when it is empty. A record may so be sent
 * twice, with its own epoch and seq, which readers pass over; none is lost or overtaken.
 */
@NullMarked
package dev.tidemark.ingest.sink;

import org.jspecify.annotations.NullMarked;
