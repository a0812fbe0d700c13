/**
 * Recordings into the stream: the same records as they were, in a new epoch, so that a second
 * ingest of a recording is a new pass of its sessions and not a repetition.
 */
@NullMarked
package dev.tidemark.ingest.recording;

import org.jspecify.annotations.NullMarked;
