/*
 * The stamp clock of a session: which one, how fast it runs, and what it says on the system's own clocks. record_format.h
 * says how the agent converts stamps.
 */
#include "proc.h"
#include "recorder.h"

#include <string.h>

enum { CALIBRATION_NS = 200000 };

bool tidemark_clock_is_tsc;

struct moment {
    uint64_t stamp, monotonic_raw_ns, monotonic_ns;
};

/* One moment on all clocks: of three readings the one that took the least. */
static struct moment read_clocks(void)
{
    struct moment best = {0, 0, 0};
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < 3; i++) {
        uint64_t before = tidemark_stamp();
        uint64_t raw = tidemark_clock(CLOCK_MONOTONIC_RAW);
        uint64_t after = tidemark_stamp();
        if (after - before < least) {
            least = after - before;
            best = (struct moment){before + (after - before) / 2, raw, tidemark_clock(CLOCK_MONOTONIC)};
        }
    }
    return best;
}

void tidemark_sync_clock(struct tidemark_header *header)
{
    uint64_t sequence = atomic_load_explicit(&header->sync_sequence, memory_order_acquire);
    uint64_t last = sequence == 0 ? header->start_stamp : atomic_load_explicit(&header->sync_stamp, memory_order_relaxed);
    struct moment now = read_clocks();
    if ((sequence & 1) != 0 || now.stamp < last || now.stamp - last < header->stamps_per_second / 20
        || !atomic_compare_exchange_strong_explicit(&header->sync_sequence, &sequence, sequence + 1, memory_order_acq_rel,
                                                    memory_order_relaxed)) {
        return; /* just done, or being done by another thread */
    }
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&header->sync_stamp, now.stamp, memory_order_relaxed);
    atomic_store_explicit(&header->sync_monotonic_raw_ns, now.monotonic_raw_ns, memory_order_relaxed);
    atomic_store_explicit(&header->sync_monotonic_ns, now.monotonic_ns, memory_order_relaxed);
    atomic_store_explicit(&header->sync_sequence, sequence + 2, memory_order_release);
}

void tidemark_write_clock(struct tidemark_header *header)
{
#if defined(__x86_64__)
    char source[32];
    tidemark_read_text("/sys/devices/system/clocksource/clocksource0/current_clocksource", source, sizeof source);
    tidemark_clock_is_tsc = strcmp(source, "tsc\n") == 0;
    header->clock = tidemark_clock_is_tsc ? TIDEMARK_CLOCK_TSC : TIDEMARK_CLOCK_MONOTONIC_RAW;
#else
    header->clock = TIDEMARK_CLOCK_CNTVCT;
#endif
    struct moment start = read_clocks(), then = start;
    while (header->clock != TIDEMARK_CLOCK_MONOTONIC_RAW && then.monotonic_raw_ns - start.monotonic_raw_ns < CALIBRATION_NS) {
        then = read_clocks();
    }
    header->stamps_per_second = 1000000000;
    if (then.monotonic_raw_ns > start.monotonic_raw_ns) {
        double seconds = (double)(then.monotonic_raw_ns - start.monotonic_raw_ns) / 1e9;
        header->stamps_per_second = (uint64_t)((double)(then.stamp - start.stamp) / seconds);
    }
    header->start_stamp = start.stamp;
    header->start_monotonic_raw_ns = start.monotonic_raw_ns;
    header->start_monotonic_ns = start.monotonic_ns;
    header->start_realtime_ns = tidemark_clock(CLOCK_REALTIME);
}
