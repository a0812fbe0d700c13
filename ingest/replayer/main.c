/*
 * tidemark-replayer: one recording through one allocator, in one process.
 *
 *     tidemark-replayer MODE --plan FILE --result FILE [--touch all|first|none] [--pace recorded|none]
 *                       [--front none|floor|frame-arena|double-buffer] [--observe] [--sample-ms N]
 *
 * MODE is check, plain or profiled. The allocator is whatever answers malloc here: preload one. The plan (plan_format.h) is
 * loaded and touched before anything is measured; the result (result_format.h) is written when all is over. Nothing is printed
 * but an error, in one line.
 *
 * Exit codes: 0 the result says how it went, also when the arm is refused; 2 wrong usage; 3 a plan that is none; 4 something
 * that this machine lacks (memory, threads).
 */
#define _GNU_SOURCE
#include "replayer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct replay replay;

enum { WRONG_USAGE = 2, BAD_PLAN = 3, LACKING = 4 };

static _Noreturn void leave(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void say(const char *format, va_list arguments)
{
    char line[512];
    int length = vsnprintf(line, sizeof line - 1, format, arguments);
    length = length < (int)sizeof line - 2 ? length : (int)sizeof line - 2;
    line[length] = '\n';
    if (write(STDERR_FILENO, line, (size_t)length + 1) < 0) {
        return;
    }
}

static _Noreturn void leave(int code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(format, arguments);
    va_end(arguments);
    _exit(code);
}

_Noreturn void fatal(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(format, arguments);
    va_end(arguments);
    _exit(LACKING);
}

void *own_memory(uint64_t bytes)
{
    bytes = bytes ? bytes : 1;
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (memory == MAP_FAILED) {
        fatal("no memory for %llu bytes of the replayer's own: %s", (unsigned long long)bytes, strerror(errno));
    }
    return memory;
}

static int one_of(const char *flag, const char *value, const char *const *names)
{
    for (int i = 0; names[i]; i++) {
        if (value && strcmp(value, names[i]) == 0) {
            return i;
        }
    }
    leave(WRONG_USAGE, "%s %s: not one of those in the head of main.c", flag, value ? value : "(nothing)");
}

static void read_options(int argc, char **argv)
{
    static const char *const modes[] = {"check", "plain", "profiled", NULL}, *const touches[] = {"none", "first", "all", NULL};
    static const char *const fronts[] = {"none", "floor", "frame-arena", "double-buffer", NULL};
    static const char *const paces[] = {"none", "recorded", NULL};
    struct options *options = &replay.options;
    options->mode = (enum mode)one_of("MODE", argc > 1 ? argv[1] : NULL, modes);
    for (int i = 2; i < argc; i++) {
        const char *flag = argv[i];
        if (strcmp(flag, "--observe") == 0) {
            options->is_observed = true;
            continue;
        }
        const char *value = ++i < argc ? argv[i] : NULL;
        if (strcmp(flag, "--plan") == 0) {
            options->plan = value;
        } else if (strcmp(flag, "--result") == 0) {
            options->result = value;
        } else if (strcmp(flag, "--touch") == 0) {
            options->touch = (enum touch)one_of(flag, value, touches);
        } else if (strcmp(flag, "--front") == 0) {
            options->front = (enum front)one_of(flag, value, fronts);
        } else if (strcmp(flag, "--pace") == 0) {
            options->is_paced = one_of(flag, value, paces) == 1;
        } else if (strcmp(flag, "--sample-ms") == 0 && value) {
            options->sample_ns = strtoull(value, NULL, 10) * 1000000;
        } else {
            leave(WRONG_USAGE, "%s is no option; the head of main.c has them", flag);
        }
    }
    if (!options->plan || !options->result) {
        leave(WRONG_USAGE, "--plan FILE and --result FILE are needed");
    }
}

static char *load(const char *path, uint64_t *bytes)
{
    struct stat status;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &status) != 0) {
        leave(BAD_PLAN, "%s: %s", path, strerror(errno));
    }
    *bytes = (uint64_t)status.st_size;
    char *file = own_memory(*bytes);
    for (uint64_t done = 0; done < *bytes;) {
        ssize_t got = read(fd, file + done, *bytes - done);
        if (got <= 0) {
            leave(BAD_PLAN, "%s: ends at byte %llu of %llu", path, (unsigned long long)done, (unsigned long long)*bytes);
        }
        done += (uint64_t)got;
    }
    close(fd);
    return file;
}

static bool fits(uint64_t offset, uint64_t count, uint64_t size, uint64_t bytes)
{
    return offset % 8 == 0 && offset <= bytes && count <= (bytes - offset) / size;
}

static void load_plan(void)
{
    const char *path = replay.options.plan;
    uint64_t bytes;
    const char *file = load(path, &bytes);
    const struct tidemark_plan *plan = (const struct tidemark_plan *)file;
    if (bytes < sizeof *plan || plan->magic != TIDEMARK_PLAN_MAGIC || plan->version != TIDEMARK_PLAN_VERSION
        || plan->header_bytes != sizeof *plan || plan->file_bytes != bytes || plan->threads == 0
        || !fits(plan->threads_offset, plan->threads, sizeof *replay.threads, bytes)
        || !fits(plan->operations_offset, plan->operations, sizeof *replay.operations, bytes)
        || !fits(plan->marks_offset, plan->marks, sizeof *replay.marks, bytes)
        || !fits(plan->leftovers_offset, plan->leftovers, sizeof *replay.leftovers, bytes)) {
        leave(BAD_PLAN, "%s: no plan of version %u, or a cut one", path, TIDEMARK_PLAN_VERSION);
    }
    replay.plan = plan;
    replay.threads = (const struct tidemark_plan_thread *)(file + plan->threads_offset);
    replay.operations = (const struct tidemark_plan_operation *)(file + plan->operations_offset);
    replay.marks = (const struct tidemark_plan_mark *)(file + plan->marks_offset);
    replay.leftovers = (const uint32_t *)(file + plan->leftovers_offset);
}

static void check_thread(const struct tidemark_plan_thread *thread)
{
    const struct tidemark_plan *plan = replay.plan;
    const struct tidemark_plan_operation *at = replay.operations + thread->first_operation;
    bool is_sound = thread->first_operation <= plan->operations && thread->operations <= plan->operations - thread->first_operation
                    && thread->first_call <= plan->calls && thread->calls <= plan->calls - thread->first_call
                    && thread->first_stretch <= plan->stretches && thread->stretches <= plan->stretches - thread->first_stretch
                    && thread->first_leftover <= plan->leftovers
                    && thread->leftovers <= plan->leftovers - thread->first_leftover;
    uint64_t calls = 0, stretches = 0;
    is_sound = is_sound && (thread->operations == 0 || at->kind == PLAN_SPAN);
    for (uint64_t i = 0; is_sound && i < thread->operations; i++) {
        const struct tidemark_plan_operation *operation = at + i;
        bool is_resize = operation->kind == PLAN_REALLOC;
        bool has_slot = operation->kind <= PLAN_AWAIT && operation->kind != PLAN_TRIM && !(operation->flags & PLAN_NO_BLOCK)
                        && !(operation->kind == PLAN_RESIZED && operation->slot == TIDEMARK_NO_SLOT);
        calls += operation->kind < PLAN_AWAIT && operation->kind != PLAN_RESIZED;
        stretches += operation->kind == PLAN_SPAN;
        is_sound = operation->kind != 0 && operation->log2_alignment < 48 && (!has_slot || operation->slot < plan->slots)
                   && (operation->kind != PLAN_MARK || operation->slot < plan->marks)
                   && (!is_resize || (i + 1 < thread->operations && operation[1].kind == PLAN_RESIZED));
    }
    for (uint64_t i = 0; is_sound && i < thread->leftovers; i++) {
        is_sound = replay.leftovers[thread->first_leftover + i] < plan->slots;
    }
    if (!is_sound || calls != thread->calls || stretches != thread->stretches) {
        leave(BAD_PLAN, "%s: the operations of thread %u don't fit the plan", replay.options.plan, thread->number);
    }
}

static void prepare(void)
{
    const struct tidemark_plan *plan = replay.plan;
    for (uint32_t i = 0; i < plan->threads; i++) {
        check_thread(&replay.threads[i]);
    }
    replay.slots = own_memory(plan->slots * sizeof *replay.slots);
    replay.players = own_memory(plan->threads * sizeof *replay.players);
    replay.stretches = (struct tidemark_result_stretch *)own_memory((plan->stretches + 1) * sizeof *replay.stretches) + 1;
    replay.lags = own_memory(plan->marks * sizeof *replay.lags);
    if (replay.options.mode == MODE_PROFILED) {
        replay.calls = own_memory(plan->calls * sizeof *replay.calls);
    }
    for (uint32_t i = 0; i < plan->threads; i++) {
        replay.players[i].plan = &replay.threads[i];
        replay.players[i].operations = replay.operations + replay.threads[i].first_operation;
    }
}

static void prepare_result(void)
{
    struct tidemark_result *result = &replay.result;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    result->magic = TIDEMARK_RESULT_MAGIC;
    result->version = TIDEMARK_RESULT_VERSION;
    result->header_bytes = sizeof *result;
    result->started_realtime_ns = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
    result->baseline_rss_bytes = result->peak_rss_bytes = result->retained_bytes = TIDEMARK_UNKNOWN;
    result->retained_1s_bytes = result->retained_5s_bytes = result->retained_15s_bytes = TIDEMARK_UNKNOWN;
    result->retained_after_calls_bytes = result->return_half_ns = TIDEMARK_UNKNOWN;
}

static uint64_t in_ns(uint64_t stamps, double ns)
{
    return (uint64_t)((double)stamps * ns + 0.5);
}

static uint32_t call_ns(uint32_t quarters, double ns)
{
    uint64_t long_ns = in_ns((uint64_t)quarters << 2, ns);
    bool is_longest = quarters == TIDEMARK_LONGEST || long_ns >= TIDEMARK_LONGEST;
    replay.result.longest_calls += is_longest;
    return is_longest ? TIDEMARK_LONGEST : (uint32_t)long_ns;
}

static void convert(void)
{
    double ns = stamp_ns();
    for (uint64_t i = 0; i < replay.plan->stretches; i++) {
        replay.stretches[i].allocator_ns = in_ns(replay.stretches[i].allocator_ns, ns);
    }
    for (uint64_t i = 0; replay.calls && i < replay.plan->calls; i++) {
        replay.calls[i].duration_ns = call_ns(replay.calls[i].duration_ns, ns);
        replay.calls[i].first_write_ns = call_ns(replay.calls[i].first_write_ns, ns);
    }
    uint64_t ended_ns = replay.start_ns;
    for (uint32_t i = 0; i < replay.plan->threads; i++) {
        ended_ns = replay.players[i].ended_ns > ended_ns ? replay.players[i].ended_ns : ended_ns;
    }
    replay.result.duration_ns = ended_ns - replay.start_ns;
}

static void put(int fd, const void *from, uint64_t bytes)
{
    for (uint64_t done = 0; done < bytes;) {
        ssize_t wrote = write(fd, (const char *)from + done, bytes - done);
        if (wrote <= 0) {
            fatal("%s: %s", replay.options.result, strerror(errno));
        }
        done += (uint64_t)wrote;
    }
}

static void write_result(void)
{
    struct tidemark_result *result = &replay.result;
    uint64_t samples = 0;
    const struct tidemark_result_sample *sample = memory_samples(&samples);
    result->threads = replay.plan->threads;
    result->stretches = replay.plan->stretches;
    result->lags = replay.options.is_paced ? replay.plan->marks : 0;
    result->calls = replay.calls ? replay.plan->calls : 0;
    result->samples = samples;
    result->threads_offset = sizeof *result;
    result->stretches_offset = result->threads_offset + result->threads * sizeof(struct tidemark_result_thread);
    result->lags_offset = result->stretches_offset + result->stretches * sizeof(struct tidemark_result_stretch);
    result->calls_offset = result->lags_offset + result->lags * sizeof *replay.lags;
    result->samples_offset = result->calls_offset + result->calls * sizeof *replay.calls;
    result->file_bytes = result->samples_offset + samples * sizeof *sample;
    int fd = open(replay.options.result, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0) {
        fatal("%s: %s", replay.options.result, strerror(errno));
    }
    put(fd, result, sizeof *result);
    for (uint32_t i = 0; i < replay.plan->threads; i++) {
        put(fd, &replay.players[i].counts, sizeof replay.players[i].counts);
    }
    put(fd, replay.stretches, result->stretches * sizeof *replay.stretches);
    put(fd, replay.lags, result->lags * sizeof *replay.lags);
    put(fd, replay.calls, result->calls * sizeof *replay.calls);
    put(fd, sample, samples * sizeof *sample);
    if (close(fd) != 0) {
        fatal("%s: %s", replay.options.result, strerror(errno));
    }
}

int main(int argc, char **argv)
{
    start_clock();
    prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0);
    read_options(argc, argv);
    load_plan();
    prepare_result();
    prepare();
    prepare_threads();
    choose_allocator();
    if (replay.options.mode == MODE_CHECK) {
        if (replay.options.front != FRONT_FLOOR) {
            check_arm();
        }
    } else {
        start_samples();
        begin_memory();
        run_all(chosen_play(), end_memory);
        stop_samples();
    }
    convert();
    write_result();
    return 0;
}
