package dev.tidemark.ingest.ring;

/**
 * One moment on three clocks.
 *
 * @param stamp the recorder's clock
 * @param monotonicRawNs CLOCK_MONOTONIC_RAW, which no time server bends
 * @param monotonicNs CLOCK_MONOTONIC, Java's {@link System#nanoTime()}
 */
public record Sync(long stamp, long monotonicRawNs, long monotonicNs) {}
