/*
 * Threads that allocate, resize and release 64 B to 64 KiB at random; every other block is handed to the neighbour, which
 * releases it. With malloc and realloc (blocks.c) or new and delete (blocks.cc). Counts its own calls and bytes: what must be
 * seen between the phases goes into the file named first. Blocks that are kept make the live bytes a number that is not 0.
 *
 *     churn FILE THREADS ROUNDS [STALLS]      STALLS: so often one of the threads is stopped for a while, wherever it is
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../tidemark.h"

/* blocks.c or blocks.cc */
extern const int resizes_count;
void *make_block(size_t size);
void drop_block(void *block);
void *resize_block(void *block, size_t size);

enum { SLOTS = 64, MOST_THREADS = 64 };
static int thread_count, rounds;
static void *_Atomic handed[MOST_THREADS][SLOTS];
static _Atomic unsigned long allocs, alloc_bytes, frees, reallocs;
static _Atomic unsigned long live_bytes, live_blocks;
static void *kept[MOST_THREADS];
static pthread_barrier_t barrier;

static unsigned next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(*state >> 33);
}

static size_t any_size(uint64_t *state)
{
    return 64u << next_random(state) % 10 | next_random(state) % 61; /* 64 B to 64 KiB */
}

static void *counted_make(uint64_t *state, size_t *size)
{
    *size = any_size(state);
    void *block = make_block(*size);
    memset(block, 1, *size < 64 ? *size : 64);
    allocs++;
    alloc_bytes += *size;
    return block;
}

static void counted_drop(void *block)
{
    frees++;
    drop_block(block);
}

static void stall(int signal) /* a thread that stands still anywhere, in a wrapper too */
{
    (void)signal;
    struct timespec while_others_go_on = {0, 300000};
    nanosleep(&while_others_go_on, NULL);
}

static void *work(void *argument)
{
    int me = (int)(intptr_t)argument;
    uint64_t state = (uint64_t)me * 7919 + 17;
    pthread_barrier_wait(&barrier); /* all are there: what their making allocates lies before the phase */
    pthread_barrier_wait(&barrier);
    for (int i = 0; i < rounds; i++) {
        size_t size;
        void *block = counted_make(&state, &size);
        if (next_random(&state) % 4 == 0) {
            size = any_size(&state);
            block = resize_block(block, size);
            if (resizes_count) {
                reallocs++;
                alloc_bytes += size;
            } else {
                allocs++;
                alloc_bytes += size;
                frees++;
            }
        }
        if (i % 2 == 0) { /* the neighbour's mail box; what lay there was not fetched: ours again */
            block = atomic_exchange(&handed[(me + 1) % thread_count][next_random(&state) % SLOTS], block);
        }
        if (block) {
            counted_drop(block);
        }
        if ((block = atomic_exchange(&handed[me][next_random(&state) % SLOTS], NULL))) {
            counted_drop(block);
        }
    }
    pthread_barrier_wait(&barrier);
    for (int i = 0; i < SLOTS; i++) {
        if (handed[me][i]) {
            counted_drop(handed[me][i]);
        }
    }
    kept[me] = make_block(1000003 + (size_t)me);
    allocs++;
    alloc_bytes += 1000003 + (size_t)me;
    live_bytes += 1000003 + (size_t)me;
    live_blocks++;
    pthread_barrier_wait(&barrier);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[MOST_THREADS];
    struct sigaction action;
    if (argc < 4) {
        return 2;
    }
    thread_count = atoi(argv[2]);
    rounds = atoi(argv[3]);
    int stalls = argc > 4 ? atoi(argv[4]) : 0;
    memset(&action, 0, sizeof action);
    action.sa_handler = stall;
    action.sa_flags = SA_RESTART;
    sigaction(SIGUSR1, &action, NULL);
    FILE *expected = fopen(argv[1], "w");
    setvbuf(expected, NULL, _IONBF, 0);
    pthread_barrier_init(&barrier, NULL, (unsigned)thread_count + 1);
    for (int i = 0; i < thread_count; i++) {
        pthread_create(&threads[i], NULL, work, (void *)(intptr_t)i);
    }
    pthread_barrier_wait(&barrier);
    tidemark_phase("begin");
    pthread_barrier_wait(&barrier);
    uint64_t state = 4711;
    for (int i = 0; i < stalls; i++) {
        struct timespec nap = {0, 200000};
        nanosleep(&nap, NULL);
        pthread_kill(threads[next_random(&state) % (unsigned)thread_count], SIGUSR1);
    }
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
    tidemark_phase("end");
    for (int i = 0; i < thread_count; i++) {
        pthread_join(threads[i], NULL);
    }
    fprintf(expected, "allocs=%lu alloc_bytes=%lu frees=%lu reallocs=%lu live_bytes=%lu live_blocks=%lu\n", allocs, alloc_bytes, frees,
            reallocs, live_bytes, live_blocks);
    fclose(expected);
    return 0;
}
