/**
 * The programs that the demo records: a real dedicated server in a world that keeps itself busy, or
 * a small one of our own where the real one can't be had.
 */
@NullMarked
package dev.tidemark.deploy.demo;

import org.jspecify.annotations.NullMarked;
