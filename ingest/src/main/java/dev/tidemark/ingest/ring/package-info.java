/**
 * The shared memory between recorder and agent, as {@code ingest/recorder/record_format.h} draws
 * it.
 *
 * <p>A ring file comes from another process, maybe of another user, and may be cut, broken or
 * hostile at any time. So nothing in it is believed: {@link dev.tidemark.ingest.ring.RingFile}
 * checks every size and offset against the file's length before it maps anything, rings are mapped
 * one by one when they are first used, records are copied out once and looked at only in the copy,
 * and indices are checked at each reading. What breaks a rule gives a {@link
 * dev.tidemark.ingest.ring.RingFormatException} of one line. A file cut under a mapping makes the
 * JVM throw {@link InternalError} at the access; whoever polls a file turns that into the same.
 *
 * <p>Memory is read and written through {@link java.lang.invoke.VarHandle}s with acquire and
 * release, as the format demands. Java gives a mapping back only when it is garbage collected.
 */
@NullMarked
package dev.tidemark.ingest.ring;

import org.jspecify.annotations.NullMarked;
