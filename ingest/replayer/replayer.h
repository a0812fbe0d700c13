/* What the parts of the replayer share. All state of one replay is in `replay`; memory of its own comes from mmap alone, since
 * malloc is what is being measured. */
#ifndef TIDEMARK_REPLAYER_H
#define TIDEMARK_REPLAYER_H

#include "plan_format.h"
#include "result_format.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

enum mode { MODE_CHECK, MODE_PLAIN, MODE_PROFILED };
enum touch { TOUCH_NONE, TOUCH_FIRST, TOUCH_ALL };
enum front { FRONT_NONE, FRONT_FLOOR, FRONT_FRAME_ARENA, FRONT_DOUBLE_BUFFER };

struct options {
    const char *plan, *result;
    enum mode mode;
    enum touch touch;
    enum front front;
    bool is_paced;
    bool is_observed; /* memory goes on being looked at for 15 s after the last release */
    uint64_t sample_ns;
};

/* The allocator under test. operator new and delete are the library's own where it exports them. */
struct allocator {
    void *(*make)(size_t bytes);
    void *(*zeroed)(size_t count, size_t bytes);
    int (*aligned)(void **block, size_t alignment, size_t bytes);
    void *(*new)(size_t bytes, const void *nothrow);
    void *(*new_aligned)(size_t bytes, size_t alignment, const void *nothrow);
    void *(*resize)(void *block, size_t bytes);
    void (*release)(void *block);
    void (*delete)(void *block);
    void (*delete_aligned)(void *block, size_t alignment);
    int (*trim)(size_t pad);
};

struct arena {
    char *base;
    size_t at, bytes;
};

/* One thread of the recording. */
struct player {
    _Alignas(128) const struct tidemark_plan_thread *plan;
    const struct tidemark_plan_operation *operations;
    struct tidemark_result_stretch *stretch; /* the open one; in stamps until the end */
    struct tidemark_result_call *call;       /* the next one; in quarter stamps until the end */
    uint64_t burst;                          /* begin of the open burst */
    struct arena arenas[2];
    unsigned open_arena;
    struct tidemark_result_thread counts;
    uint64_t ended_ns; /* CLOCK_MONOTONIC behind its last operation */
    pthread_t thread;
};

struct replay {
    struct options options;
    const struct tidemark_plan *plan;
    const struct tidemark_plan_thread *threads;
    const struct tidemark_plan_operation *operations;
    const struct tidemark_plan_mark *marks;
    const uint32_t *leftovers;
    _Atomic(void *) *slots;
    struct allocator allocator;
    uint16_t arena_flag;   /* the flag of blocks that the front serves itself; 0: none */
    uint64_t touch_mask;   /* of offsets in a block; the floor's blocks share memory */
    struct player *players;
    struct tidemark_result_stretch *stretches;
    struct tidemark_result_call *calls;
    int64_t *lags;
    struct tidemark_result result;
    uint64_t start_ns; /* CLOCK_MONOTONIC at the plan's origin */
    _Atomic uint32_t stop; /* futex: something failed, all threads leave */
};

extern struct replay replay;

/* main.c */
void *own_memory(uint64_t bytes); /* zeroed, touched, never given back; ends the program when there is none */
_Noreturn void fatal(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* allocator.c */
void choose_allocator(void);
void *make_block(const struct tidemark_plan_operation *operation); /* any but PLAN_REALLOC, by the allocator itself */
void release_block(void *block, const struct tidemark_plan_operation *operation);
void *arena_take(struct player *player, const struct tidemark_plan_operation *operation);
void *arena_resize(struct player *player, const struct tidemark_plan_operation *made, void *old);
bool arena_holds(const struct player *player, const void *block);
void arena_next_frame(struct player *player, unsigned flags);
void begin_player(struct player *player); /* on its own thread */
void give_back(void *block, const struct tidemark_plan_operation *operation);

/* play.c */
typedef void play_function(struct player *player);
play_function *chosen_play(void);
play_function *touching_play(void); /* a plain round with all first writes */
void count_call(struct player *player, const struct tidemark_plan_operation *operation);

/* check.c */
void check_arm(void);

/* run.c: every thread through `play` once; then what is left is released, each block by the thread that made it where that
 * lives on, and `over` is called with all threads idle. */
void prepare_threads(void);
void run_all(play_function *play, void (*over)(void));
void refuse(const struct player *player, const struct tidemark_plan_operation *operation, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
const char *operation_name(const struct tidemark_plan_operation *operation);

/* clock.c */
extern bool clock_is_tsc;
void start_clock(void);
double stamp_ns(void); /* ns of a stamp, over all of the time since start_clock() */
uint64_t monotonic_ns(void);
uint64_t raw_ns(void);
void wait_until(uint64_t plan_ns);     /* on a futex */
void *wait_for(_Atomic(void *) *slot); /* NULL when all is to stop */

/* memory.c */
int64_t resident_bytes(void);
void begin_memory(void); /* takes the baseline */
void end_memory(void);   /* the peak; what is retained */
void start_samples(void);
void stop_samples(void);
const struct tidemark_result_sample *memory_samples(uint64_t *count);

static inline uint64_t stamp(void)
{
#if defined(__x86_64__)
    if (likely(clock_is_tsc)) {
        return __builtin_ia32_rdtsc();
    }
    return raw_ns();
#elif defined(__aarch64__)
    uint64_t count;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(count));
    return count;
#else
#error "the replayer knows x86-64 and aarch64"
#endif
}

static inline size_t alignment_of(const struct tidemark_plan_operation *operation)
{
    return (size_t)1 << operation->log2_alignment;
}

#endif
