/*
 * What a call costs: per_call THREADS CALLS. Each thread allocates and releases 48 bytes, CALLS times in all; prints CPU and wall
 * nanoseconds a call (a malloc or a free).
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MOST_THREADS = 64 };
static long calls;

static double nanos(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static void *work(void *cpu_nanos)
{
    double began = nanos(CLOCK_THREAD_CPUTIME_ID);
    for (long i = 0; i < calls / 2; i++) {
        void *block = malloc(48);
        __asm__ volatile("" : : "r"(block) : "memory");
        free(block);
    }
    *(double *)cpu_nanos = nanos(CLOCK_THREAD_CPUTIME_ID) - began;
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[MOST_THREADS];
    double cpu[MOST_THREADS], sum = 0;
    int count = argc > 2 ? atoi(argv[1]) : 0;
    if (count < 1 || count > MOST_THREADS) {
        return 2;
    }
    calls = atol(argv[2]);
    double began = nanos(CLOCK_MONOTONIC);
    for (int i = 0; i < count; i++) {
        pthread_create(&threads[i], NULL, work, &cpu[i]);
    }
    for (int i = 0; i < count; i++) {
        pthread_join(threads[i], NULL);
        sum += cpu[i];
    }
    double wall = nanos(CLOCK_MONOTONIC) - began;
    printf("cpu_ns=%.2f wall_ns=%.2f\n", sum / (double)count / (double)calls, wall / (double)calls);
    return 0;
}
