/**
 * What the kernel tells about a process and its machine, read from outside through {@code /proc}
 * and {@code /sys}. What can't be read is null, never 0.
 */
@NullMarked
package dev.tidemark.ingest.proc;

import org.jspecify.annotations.NullMarked;
