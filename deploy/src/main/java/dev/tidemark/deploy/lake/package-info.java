/**
 * From a topic to a lake: the trace job on the local stack or on a cluster of its own, and the
 * lake's catalogue published behind it.
 */
@NullMarked
package dev.tidemark.deploy.lake;

import org.jspecify.annotations.NullMarked;
