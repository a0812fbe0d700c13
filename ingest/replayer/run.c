/*
 * The threads of a replay. The recording's first thread runs on the process's main thread, which allocators treat apart; the
 * others are started when they began. A thread that ended long before the recording did ends here too, so that an allocator's
 * clean-up runs; before a thread is started those that had ended are joined, so that 40,000 short threads are never there at
 * once. The others stay, idle, until all is over.
 */
#define _GNU_SOURCE
#include "replayer.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum stage { STAGE_PLAY, STAGE_RELEASE, STAGE_END };

static play_function *player_function;
static _Atomic uint32_t stage;   /* futex */
static _Atomic uint32_t playing; /* futex: threads that have operations left or have not been started */
static _Atomic uint32_t releasing; /* futex: living threads whose left blocks are not released */
static uint32_t *by_end;
static uint32_t ending;
static pthread_mutex_t refusing = PTHREAD_MUTEX_INITIALIZER;

static void sleep_while(_Atomic uint32_t *word, uint32_t value)
{
    while (atomic_load_explicit(word, memory_order_acquire) == value) {
        syscall(SYS_futex, word, FUTEX_WAIT | FUTEX_PRIVATE_FLAG, value, NULL, NULL, 0);
    }
}

static void wake(_Atomic uint32_t *word)
{
    syscall(SYS_futex, word, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, INT_MAX, NULL, NULL, 0);
}

static void count_down(_Atomic uint32_t *word)
{
    if (atomic_fetch_sub_explicit(word, 1, memory_order_acq_rel) == 1) {
        wake(word);
    }
}

static void wait_for_zero(_Atomic uint32_t *word)
{
    for (uint32_t left = atomic_load(word); left > 0; left = atomic_load(word)) {
        syscall(SYS_futex, word, FUTEX_WAIT | FUTEX_PRIVATE_FLAG, left, NULL, NULL, 0);
    }
}

static void enter(enum stage next)
{
    atomic_store_explicit(&stage, next, memory_order_release);
    wake(&stage);
}

static void play_on(struct player *player)
{
    begin_player(player);
    player_function(player);
    count_down(&playing);
}

static void release_left(const struct player *player)
{
    const uint32_t *left = replay.leftovers + player->plan->first_leftover;
    for (uint64_t i = 0; i < player->plan->leftovers && !atomic_load_explicit(&replay.stop, memory_order_relaxed); i++) {
        void *block = atomic_load_explicit(&replay.slots[left[i]], memory_order_acquire);
        if (!arena_holds(player, block)) {
            replay.allocator.release(block);
        }
    }
}

static void *thread_main(void *argument)
{
    struct player *player = argument;
    play_on(player);
    if (!player->plan->ends) {
        sleep_while(&stage, STAGE_PLAY);
        release_left(player);
        count_down(&releasing);
        sleep_while(&stage, STAGE_RELEASE);
    }
    return NULL;
}

static int compare_ends(const void *a, const void *b)
{
    const struct tidemark_plan_thread *one = &replay.threads[*(const uint32_t *)a], *other = &replay.threads[*(const uint32_t *)b];
    return one->end_ns != other->end_ns ? (one->end_ns < other->end_ns ? -1 : 1) : (one > other) - (one < other);
}

/* By the time that they end, so that they can be joined in that order. */
void prepare_threads(void)
{
    uint32_t threads = replay.plan->threads;
    by_end = own_memory(threads * sizeof *by_end);
    for (uint32_t i = 1; i < threads; i++) {
        if (replay.threads[i].ends) {
            by_end[ending++] = i;
        }
    }
    qsort(by_end, ending, sizeof *by_end, compare_ends);
}

static void join(uint32_t index)
{
    pthread_join(replay.players[index].thread, NULL);
}

/* Starts all threads but the main one. */
static void *conduct(void *unused)
{
    uint32_t joined = 0;
    (void)unused;
    for (uint32_t i = 1; i < replay.plan->threads; i++) {
        uint64_t begin_ns = replay.threads[i].begin_ns;
        while (joined < ending && by_end[joined] < i && replay.threads[by_end[joined]].end_ns < begin_ns) {
            join(by_end[joined++]);
        }
        if (replay.options.is_paced) {
            wait_until(begin_ns);
        }
        int error = pthread_create(&replay.players[i].thread, NULL, thread_main, &replay.players[i]);
        if (error) {
            fatal("thread %u of %u can't be started: %s; raise ulimit -u or the container's limit of tasks", i + 1,
                  replay.plan->threads, strerror(error));
        }
    }
    while (joined < ending) {
        join(by_end[joined++]);
    }
    return NULL;
}

static void prepare_players(void)
{
    for (uint32_t i = 0; i < replay.plan->threads; i++) {
        struct player *player = &replay.players[i];
        player->stretch = replay.stretches + player->plan->first_stretch - 1;
        player->call = replay.calls ? replay.calls + player->plan->first_call : NULL;
        player->open_arena = 0;
        player->arenas[0].at = player->arenas[1].at = 0;
        memset(&player->counts, 0, sizeof player->counts);
        releasing += i > 0 && !player->plan->ends;
    }
    memset((void *)replay.slots, 0, replay.plan->slots * sizeof *replay.slots);
}

void run_all(play_function *play, void (*over)(void))
{
    pthread_t conductor;
    player_function = play;
    playing = replay.plan->threads;
    releasing = 0;
    stage = STAGE_PLAY;
    prepare_players();
    replay.start_ns = monotonic_ns() + 1000000;
    if (pthread_create(&conductor, NULL, conduct, NULL)) {
        fatal("no thread can be started: %s", strerror(errno));
    }
    play_on(&replay.players[0]);
    wait_for_zero(&playing);
    pthread_join(conductor, NULL);
    enter(STAGE_RELEASE);
    for (uint32_t i = 0; i < replay.plan->threads; i++) {
        if (i == 0 || replay.threads[i].ends) {
            release_left(&replay.players[i]);
        }
    }
    wait_for_zero(&releasing);
    if (over) {
        over();
    }
    enter(STAGE_END);
    for (uint32_t i = 1; i < replay.plan->threads; i++) {
        if (!replay.threads[i].ends) {
            join(i);
        }
    }
}

const char *operation_name(const struct tidemark_plan_operation *operation)
{
    static const char *const names[] = {"?", "malloc", "calloc", "aligned", "new", "realloc", "realloc", "free", "delete", "trim"};
    return operation->kind < sizeof names / sizeof *names ? names[operation->kind] : "?";
}

/* The first reason is kept. */
void refuse(const struct player *player, const struct tidemark_plan_operation *operation, const char *format, ...)
{
    char what[160];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    pthread_mutex_lock(&refusing);
    if (replay.result.status != TIDEMARK_REFUSED) {
        replay.result.status = TIDEMARK_REFUSED;
        if (operation) {
            snprintf(replay.result.reason, sizeof replay.result.reason, "%s of %llu bytes (operation %lld of thread %u): %s",
                     operation_name(operation), (unsigned long long)operation->size, (long long)(operation - player->operations),
                     player->plan->number, what);
        } else {
            snprintf(replay.result.reason, sizeof replay.result.reason, "%s", what);
        }
    }
    pthread_mutex_unlock(&refusing);
    atomic_store(&replay.stop, 1);
    wake(&replay.stop);
}
