/**
 * What a program or a replay runs under: an allocator and a policy, under a label.
 *
 * <p>An arm comes from a command line ({@link dev.tidemark.deploy.arm.Arm}) or a file of arms
 * ({@link dev.tidemark.deploy.arm.ArmsFile}). Everything about it that can be wrong is found out
 * before anything runs: a library that is missing, of another architecture or no allocator, a
 * misspelt key, an arm named twice.
 */
@NullMarked
package dev.tidemark.deploy.arm;

import org.jspecify.annotations.NullMarked;
