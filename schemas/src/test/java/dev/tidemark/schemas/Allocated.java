package dev.tidemark.schemas;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** Bytes that this thread has allocated, which a reader of foreign bytes must keep in bounds. */
final class Allocated {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final long before = THREADS.getCurrentThreadAllocatedBytes();

    /** Since this was made. */
    long bytes() {
        return THREADS.getCurrentThreadAllocatedBytes() - before;
    }

    void assertAtMost(long most) {
        assertThat(bytes()).as("allocated bytes").isLessThanOrEqualTo(most);
    }
}
