/**
 * What goes between the operators of a job, each with its own serializer: no reflection, no Kryo.
 * Every element is immutable once sent, so that copying one is handing it on.
 */
@NullMarked
package dev.tidemark.jobs.wire;

import org.jspecify.annotations.NullMarked;
