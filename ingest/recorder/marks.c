/*
 * Frames, ticks, phases and values. A mark stands at the return of what makes it: the program's own word (tidemark.h), a
 * swap call (lookup.c brings the looked-up ones), or a library call on the main thread that paces a server
 * (TIDEMARK_TICKS=call:NAME). Once the program has marked frames or ticks itself, what was found is counted but no longer a mark.
 * Fixed periods are the agent's.
 */
#define _GNU_SOURCE
#define TIDEMARK_IMPLEMENTS_MARKS
#include "recorder.h"
#include "tidemark.h"

#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/*
 * Library calls that pace servers. All take at most six integers or pointers and return one, which on both supported
 * machines pass through registers whatever their types: one shape forwards them all.
 */
typedef long call_of_six(long, long, long, long, long, long);
#define PACING(X)                                                                                                      \
    X(usleep) X(nanosleep) X(clock_nanosleep) X(select) X(pselect) X(poll) X(ppoll) X(epoll_wait) X(epoll_pwait) X(recv) \
    X(recvfrom) X(recvmsg) X(recvmmsg) X(accept) X(accept4) X(sem_timedwait) X(sched_yield)                             \
    X(__poll_chk) X(__ppoll_chk) X(__recv_chk) X(__recvfrom_chk)

#define PACING_ENUM(name) PACING_##name,
enum { PACING(PACING_ENUM) PACING_COUNT };
#define PACING_NAME(name) #name,
static const char *const pacing_names[] = {PACING(PACING_NAME)};
static call_of_six *_Atomic pacing_next[PACING_COUNT];

static bool frames_from_marks, ticks_from_marks;
static const char *tick_call; /* NAME of call:NAME, else NULL */
static bool is_tick_call[PACING_COUNT];
static _Atomic bool frames_from_program, ticks_from_program;

static bool is_auto(const char *setting)
{
    return !setting || *setting == 0 || strcmp(setting, "auto") == 0;
}

static bool is_call(const char *name, const char *wanted)
{
    size_t length = strlen(wanted);
    bool is_checked_form = strncmp(name, "__", 2) == 0 && strncmp(name + 2, wanted, length) == 0
                           && strcmp(name + 2 + length, "_chk") == 0;
    return strcmp(name, wanted) == 0 || is_checked_form;
}

static call_of_six *pacing(int index)
{
    call_of_six *function = atomic_load_explicit(&pacing_next[index], memory_order_relaxed);
    if (unlikely(!function)) {
        void *found = tidemark_find(pacing_names[index]);
        memcpy(&function, &found, sizeof found);
        atomic_store_explicit(&pacing_next[index], function, memory_order_relaxed);
    }
    return function;
}

void tidemark_marks_begin(void)
{
    const char *ticks = tidemark_setting("TICKS");
    frames_from_marks = is_auto(tidemark_setting("FRAMES"));
    tick_call = ticks && strncmp(ticks, "call:", 5) == 0 ? ticks + 5 : NULL;
    ticks_from_marks = is_auto(ticks) || tick_call;
    for (int i = 0; i < PACING_COUNT; i++) {
        is_tick_call[i] = tick_call && is_call(pacing_names[i], tick_call);
        pacing(i); /* now: later may be in a signal handler */
    }
}

static bool count(enum tidemark_mark mark)
{
    bool is_recording = atomic_load_explicit(&tidemark_process.session, memory_order_acquire) >= SESSION_FIRST;
    if (is_recording) {
        atomic_fetch_add_explicit(&tidemark_process.header->mark_counts[mark], 1, memory_order_relaxed);
    }
    return is_recording;
}

void tidemark_mark_swap(enum tidemark_mark mark)
{
    if (count(mark) && frames_from_marks && !atomic_load_explicit(&frames_from_program, memory_order_relaxed)) {
        tidemark_mark(TIDEMARK_FRAME, mark, 0);
    }
}

static void mark_call(void)
{
    if (getpid() == (pid_t)syscall(SYS_gettid) && count(TIDEMARK_MARK_CALL)
        && !atomic_load_explicit(&ticks_from_program, memory_order_relaxed)) {
        tidemark_mark(TIDEMARK_TICK, TIDEMARK_MARK_CALL, 0);
    }
}

#define PACING_WRAPPER(name)                                                                                  \
    EXPORT long paced_##name(long a, long b, long c, long d, long e, long f) __asm__(#name);                  \
    EXPORT long paced_##name(long a, long b, long c, long d, long e, long f)                                  \
    {                                                                                                         \
        long result = pacing(PACING_##name)(a, b, c, d, e, f);                                                \
        if (unlikely(is_tick_call[PACING_##name])) {                                                          \
            mark_call();                                                                                      \
        }                                                                                                     \
        return result;                                                                                        \
    }
PACING(PACING_WRAPPER)

EXPORT void tidemark_frame(void)
{
    if (count(TIDEMARK_MARK_API_FRAME) && frames_from_marks) {
        atomic_store_explicit(&frames_from_program, true, memory_order_relaxed);
        tidemark_mark(TIDEMARK_FRAME, TIDEMARK_MARK_API_FRAME, 0);
    }
}

EXPORT void tidemark_tick(void)
{
    if (count(TIDEMARK_MARK_API_TICK) && ticks_from_marks) {
        atomic_store_explicit(&ticks_from_program, true, memory_order_relaxed);
        tidemark_mark(TIDEMARK_TICK, TIDEMARK_MARK_API_TICK, 0);
    }
}

/*
 * The index of a name. Without a lock: who wins a free entry fills it; who meets one being filled goes on to the next, so
 * that a name may stand twice, which harms nobody.
 */
static uint64_t index_of(const char *text)
{
    struct tidemark_header *header = tidemark_process.header;
    size_t length = strnlen(text, sizeof header->names[0].text - 1);
    for (uint64_t i = 0; i < TIDEMARK_NAMES; i++) {
        struct tidemark_name *name = &header->names[i];
        uint32_t state = 0;
        if (atomic_compare_exchange_strong_explicit(&name->state, &state, 1, memory_order_acquire, memory_order_acquire)) {
            memcpy(name->text, text, length);
            atomic_store_explicit(&name->state, 2, memory_order_release);
            return i;
        }
        if (state == 2 && strncmp(name->text, text, length) == 0 && name->text[length] == 0) {
            return i;
        }
    }
    atomic_fetch_add_explicit(&header->names_lost, 1, memory_order_relaxed);
    return TIDEMARK_NAME_NONE;
}

static bool is_recording(const char *name)
{
    return name && atomic_load_explicit(&tidemark_process.session, memory_order_acquire) >= SESSION_FIRST;
}

EXPORT void tidemark_phase(const char *name)
{
    if (is_recording(name)) {
        tidemark_mark(TIDEMARK_PHASE, index_of(name), 0);
    }
}

EXPORT void tidemark_value(const char *name, double value)
{
    if (is_recording(name)) {
        uint64_t bits;
        memcpy(&bits, &value, sizeof bits);
        tidemark_mark(TIDEMARK_VALUE, index_of(name), bits);
    }
}
