/**
 * The words that recorder, agent, jobs and SQL share: the stream's records and their codec,
 * recordings, and (in {@code lake}) the tables.
 *
 * <p>A trace record exists in one binary form, Avro's single-object encoding of {@code
 * TraceRecord}, held as a {@code byte[]}. {@link dev.tidemark.schemas.TraceEncoder} makes it,
 * {@link dev.tidemark.schemas.TraceDecoder} reads it, {@link dev.tidemark.schemas.RecordingWriter}
 * and {@link dev.tidemark.schemas.RecordingReader} move it to and from files, and Kafka carries it
 * as it is. Everything in between passes the bytes on; the envelope can be read without touching
 * the payload.
 *
 * <p>Event blocks are the bulk of every stream, so {@link dev.tidemark.schemas.EventColumns} holds
 * them as primitive arrays and this package reads and writes them by hand. That fast path is taken
 * when a record's schema fingerprint is our own; any other goes through Avro's schema resolution
 * and ends in the same columns.
 */
@NullMarked
package dev.tidemark.schemas;

import org.jspecify.annotations.NullMarked;
