/**
 * Running a program under the recorder.
 *
 * <p>The program stays the program: it has our standard streams, it gets the signals that we get,
 * and its exit code is ours. What is added is its environment: the preload, the folder for its
 * rings, and what {@code TIDEMARK_*} tells recorder and agent. The agent runs in this process and
 * begins before the program does.
 */
@NullMarked
package dev.tidemark.deploy.record;

import org.jspecify.annotations.NullMarked;
