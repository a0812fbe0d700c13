/* What the synthetic workloads share: their options, a generator that is the same for a seed, time, and a count. */
#ifndef WORKLOAD_H
#define WORKLOAD_H

#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "tidemark.h"

struct options {
    uint64_t seed;
    long count;   /* frames or ticks */
    double scale; /* blocks per frame or tick, as a factor */
    long threads;
    double period_ms; /* of a frame or tick; 0: as fast as it goes */
};

/* Five numbers in the order above. */
static inline struct options read_options(int argc, char **argv) {
    if (argc != 6) {
        fprintf(stderr, "usage: %s SEED COUNT SCALE THREADS PERIOD_MS\n", argv[0]);
        exit(2);
    }
    return (struct options){strtoull(argv[1], NULL, 10), atol(argv[2]), atof(argv[3]), atol(argv[4]), atof(argv[5])};
}

/* splitmix64: any seed will do, 0 too. */
static inline uint64_t next_random(uint64_t *state) {
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* From 0 to limit - 1. */
static inline size_t below(uint64_t *random, size_t limit) { return (size_t)(next_random(random) % limit); }

/* Sizes between 2 powers of two, as many in each doubling as in the next: games ask for many small blocks and a few large. */
static inline size_t size_between(uint64_t *random, unsigned low_bits, unsigned high_bits) {
    unsigned bits = low_bits + (unsigned)below(random, high_bits - low_bits);
    return ((size_t)1 << bits) + below(random, (size_t)1 << bits);
}

struct tally {
    unsigned long blocks;
    unsigned long bytes;
};

/* Makes a block and writes to its begin, as whoever asks for memory does. */
static inline void *make(struct tally *tally, size_t size) {
    char *block = malloc(size);
    if (!block) {
        fprintf(stderr, "no memory for %zu bytes\n", size);
        exit(1);
    }
    memset(block, 1, size < 64 ? size : 64);
    tally->blocks++;
    tally->bytes += size;
    return block;
}

static inline size_t scaled(const struct options *options, size_t blocks) {
    return (size_t)((double)blocks * options->scale + 0.5);
}

/* Waits for the end of the period that began at *begun, and begins the next. */
static inline void await_period(const struct options *options, struct timespec *begun) {
    if (options->period_ms <= 0)
        return;
    long nanos = begun->tv_nsec + (long)(options->period_ms * 1e6);
    begun->tv_sec += nanos / 1000000000;
    begun->tv_nsec = nanos % 1000000000;
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, begun, NULL);
}

#endif
