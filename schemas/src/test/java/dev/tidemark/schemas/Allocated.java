package dev.tidemark.schemas;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** Bytes that this thread has allocated, which a reader of foreign bytes must keep in bounds. */
final class Allocated {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private long soFar = THREADS.getCurrentThreadAllocatedBytes();

    /** Fails when more was allocated since the last look. */
    void sinceThenAtMost(long bytes) {
        long now = THREADS.getCurrentThreadAllocatedBytes();
        assertThat(now - soFar).as("allocated bytes").isLessThanOrEqualTo(bytes);
        soFar = THREADS.getCurrentThreadAllocatedBytes();
    }
}
