/**
 * Synthetic programs of known shape, to be recorded under any allocator: level loads, a job system,
 * a server's tick. Their calls are the same for a seed; their sessions say that they are synthetic.
 */
@NullMarked
package dev.tidemark.deploy.workload;

import org.jspecify.annotations.NullMarked;
