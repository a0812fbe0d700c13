/*
 * Memory, as the kernel counts it. The baseline is what the replayer itself keeps resident (plan, slots, room for results), and
 * is taken off every figure. Exact figures come from smaps_rollup, the peak from VmHWM, which is set back at the baseline.
 *
 * After the last release all threads idle while the figure is read again and again for 15 seconds; then come a thousand small
 * calls, since some allocators give memory back only when they are called.
 */
#define _GNU_SOURCE
#include "replayer.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { SAMPLES = 16384, SMALL_CALLS = 1000, SMALL_LIVE = 50 };

static const uint64_t SECOND_NS = 1000000000, POLL_NS = 10000000;

static int64_t baseline_peak_bytes;
static struct tidemark_result_sample *samples;
static _Atomic uint64_t sample_count;
static uint64_t step_ns;
static _Atomic bool is_sampling;
static pthread_t sampler;

/* The figure in kB behind `NAME:` in a file of the kernel, in bytes. */
static int64_t read_kib(const char *path, const char *name)
{
    char text[4096];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = fd >= 0 ? read(fd, text, sizeof text - 1) : -1;
    if (fd >= 0) {
        close(fd);
    }
    text[got > 0 ? got : 0] = 0;
    const char *at = strstr(text, name);
    return at ? (int64_t)strtoll(at + strlen(name), NULL, 10) * 1024 : TIDEMARK_UNKNOWN;
}

int64_t resident_bytes(void)
{
    int64_t exact = read_kib("/proc/self/smaps_rollup", "\nRss:");
    return exact == TIDEMARK_UNKNOWN ? read_kib("/proc/self/status", "\nVmRSS:") : exact;
}

static int64_t less(int64_t bytes, int64_t baseline)
{
    return bytes == TIDEMARK_UNKNOWN || baseline == TIDEMARK_UNKNOWN ? TIDEMARK_UNKNOWN : bytes - baseline;
}

static int64_t above_baseline(void)
{
    return less(resident_bytes(), replay.result.baseline_rss_bytes);
}

void begin_memory(void)
{
    replay.result.baseline_rss_bytes = resident_bytes();
    int fd = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);
    bool is_cleared = fd >= 0 && write(fd, "5", 1) == 1;
    if (fd >= 0) {
        close(fd);
    }
    baseline_peak_bytes = is_cleared ? read_kib("/proc/self/status", "\nVmHWM:") : TIDEMARK_UNKNOWN;
}

static void idle(uint64_t ns)
{
    struct timespec time = {(time_t)(ns / SECOND_NS), (long)(ns % SECOND_NS)};
    nanosleep(&time, NULL);
}

/* Every block is of another size than the one before, and few live at a time. */
static void call_a_thousand_times(void)
{
    void *live[SMALL_LIVE] = {NULL};
    for (size_t i = 0; i < SMALL_CALLS / 2; i++) {
        replay.allocator.release(live[i % SMALL_LIVE]);
        live[i % SMALL_LIVE] = replay.allocator.make(16 + i % 64 * 16);
    }
    for (size_t i = 0; i < SMALL_LIVE; i++) {
        replay.allocator.release(live[i]);
    }
}

static void observe(void)
{
    struct tidemark_result *result = &replay.result;
    const struct {
        uint64_t after_ns;
        int64_t *bytes;
    } looks[] = {{SECOND_NS, &result->retained_1s_bytes}, {5 * SECOND_NS, &result->retained_5s_bytes},
                 {15 * SECOND_NS, &result->retained_15s_bytes}};
    const uint64_t begin_ns = monotonic_ns();
    for (size_t next = 0; next < sizeof looks / sizeof *looks;) {
        idle(POLL_NS);
        int64_t bytes = above_baseline();
        uint64_t passed_ns = monotonic_ns() - begin_ns;
        if (result->return_half_ns == TIDEMARK_UNKNOWN && bytes != TIDEMARK_UNKNOWN && result->retained_bytes > 0
            && bytes <= result->retained_bytes / 2) {
            result->return_half_ns = (int64_t)passed_ns;
        }
        if (passed_ns >= looks[next].after_ns) {
            *looks[next++].bytes = bytes;
        }
    }
    call_a_thousand_times();
    result->retained_after_calls_bytes = above_baseline();
}

void end_memory(void)
{
    replay.result.retained_bytes = above_baseline();
    replay.result.peak_rss_bytes = less(read_kib("/proc/self/status", "\nVmHWM:"), baseline_peak_bytes);
    if (replay.options.is_observed) {
        observe();
    }
}

static void sample(uint64_t at_ns)
{
    uint64_t count = atomic_load_explicit(&sample_count, memory_order_relaxed);
    if (count == SAMPLES) { /* every second one goes, and the next come half as often */
        for (uint64_t i = 0; i < SAMPLES / 2; i++) {
            samples[i] = samples[2 * i];
        }
        count = SAMPLES / 2;
        step_ns *= 2;
    }
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    samples[count] = (struct tidemark_result_sample){
        .at_ns = at_ns - replay.start_ns,
        .rss_bytes = above_baseline(),
        .minor_faults = (uint64_t)usage.ru_minflt,
        .major_faults = (uint64_t)usage.ru_majflt,
        .involuntary_switches = (uint64_t)usage.ru_nivcsw,
    };
    atomic_store_explicit(&sample_count, count + 1, memory_order_relaxed);
}

static void *sample_on(void *unused)
{
    (void)unused;
    while (atomic_load(&is_sampling)) {
        uint64_t now_ns = monotonic_ns();
        if (now_ns >= replay.start_ns && replay.start_ns > 0) {
            sample(now_ns);
        }
        idle(step_ns);
    }
    return NULL;
}

void start_samples(void)
{
    step_ns = replay.options.sample_ns;
    if (step_ns == 0) {
        return;
    }
    samples = own_memory(SAMPLES * sizeof *samples);
    is_sampling = true;
    if (pthread_create(&sampler, NULL, sample_on, NULL)) {
        fatal("no thread can be started to sample memory");
    }
}

void stop_samples(void)
{
    if (atomic_exchange(&is_sampling, false)) {
        pthread_join(sampler, NULL);
    }
}

const struct tidemark_result_sample *memory_samples(uint64_t *count)
{
    *count = atomic_load(&sample_count);
    return samples;
}
