/**
 * Sessions of several arms, measured so that they can be compared.
 *
 * <p>A {@link dev.tidemark.deploy.bench.BenchPlan plan} has runs, each of which begins with a
 * session that is discarded and goes on in rounds: one session of every arm, in a seeded shuffle,
 * the baseline a second time as the null arm. A {@link dev.tidemark.deploy.bench.SessionRunner}
 * makes one session: a replay of a recording, or a live one. {@link
 * dev.tidemark.deploy.bench.Bench} decides what runs next and what counts: a session that fell
 * behind voids its whole round, which is repeated; an arm that voids two rounds, or is refused, is
 * left out from then on. Void, discarded and refused sessions are kept, labelled as such.
 *
 * <p>Every step is in an append-only {@link dev.tidemark.deploy.bench.Journal} before the next
 * begins, so that a bench which was killed goes on where it was: the decisions are made again from
 * the journal, and only sessions that it does not have are run. Sessions go into the lake between
 * rounds, never during one, through the same chain as live ones.
 */
@NullMarked
package dev.tidemark.deploy.bench;

import org.jspecify.annotations.NullMarked;
