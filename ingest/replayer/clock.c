/* Stamps, and waiting. A wait is on a futex, so that a paced thread leaves its core to others as a game's does. */
#define _GNU_SOURCE
#include "replayer.h"

#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { SPIN_NS = 2000, AWAIT_SPINS = 200, AWAIT_YIELDS = 20, AWAIT_SLEEP_NS = 20000, CALIBRATION_NS = 20000000 };

bool clock_is_tsc;
static uint64_t first_stamp, first_raw_ns;

static uint64_t read_clock(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t monotonic_ns(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

uint64_t raw_ns(void)
{
    return read_clock(CLOCK_MONOTONIC_RAW);
}

void start_clock(void)
{
    char source[8] = "";
    int fd = open("/sys/devices/system/clocksource/clocksource0/current_clocksource", O_RDONLY | O_CLOEXEC);
    clock_is_tsc = fd >= 0 && read(fd, source, sizeof source - 1) >= 4 && memcmp(source, "tsc\n", 4) == 0;
    if (fd >= 0) {
        close(fd);
    }
    first_raw_ns = raw_ns();
    first_stamp = stamp();
}

double stamp_ns(void)
{
    while (raw_ns() - first_raw_ns < CALIBRATION_NS) {
    }
    uint64_t last_raw_ns = raw_ns();
    return (double)(last_raw_ns - first_raw_ns) / (double)(stamp() - first_stamp);
}

/* Until a time of CLOCK_MONOTONIC, or until all is to stop. */
static void sleep_until(uint64_t at_ns)
{
    struct timespec at = {(time_t)(at_ns / 1000000000u), (long)(at_ns % 1000000000u)};
    syscall(SYS_futex, &replay.stop, FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG, 0, &at, NULL, FUTEX_BITSET_MATCH_ANY);
}

void wait_until(uint64_t plan_ns)
{
    uint64_t at_ns = replay.start_ns + plan_ns;
    for (uint64_t now = monotonic_ns(); now < at_ns; now = monotonic_ns()) {
        if (atomic_load_explicit(&replay.stop, memory_order_relaxed)) {
            return;
        }
        if (at_ns - now > SPIN_NS) {
            sleep_until(at_ns);
        }
    }
}

/* The producer only stores: it is for the one who waits to look, so that a plain allocation pays nothing. */
void *wait_for(_Atomic(void *) *slot)
{
    for (uint64_t tries = 0;; tries++) {
        void *block = atomic_load_explicit(slot, memory_order_acquire);
        if (block || atomic_load_explicit(&replay.stop, memory_order_relaxed)) {
            return block;
        }
        if (tries < AWAIT_SPINS) {
#if defined(__x86_64__)
            __builtin_ia32_pause();
#endif
        } else if (tries < AWAIT_SPINS + AWAIT_YIELDS) {
            sched_yield();
        } else {
            sleep_until(monotonic_ns() + AWAIT_SLEEP_NS);
        }
    }
}
