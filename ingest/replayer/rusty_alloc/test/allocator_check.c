/*
 * Whether what answers malloc here keeps C's promises, those of pvalloc and errno among them, which some allocators
 * don't make. Run with the allocator preloaded; says the first broken promise on stderr and exits with 1, else prints
 * how many were looked at.   allocator_check [SEED]
 *
 * Every live block is filled with a pattern of its own and looked at again before it is resized or freed, so that
 * overlapping blocks, lost contents and frees that reach another block are found.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 1024, STEPS = 60000, THREADS = 4, HANDED = 10000, SHORT_THREADS = 200 };

struct block {
    unsigned char *at;
    size_t size;
    unsigned char pattern;
};

static unsigned long checks;

#define CHECK(what, ...)                                   \
    do {                                                   \
        __atomic_add_fetch(&checks, 1, __ATOMIC_RELAXED);  \
        if (!(what)) {                                     \
            fprintf(stderr, "broken: " __VA_ARGS__);       \
            fputc('\n', stderr);                           \
            exit(1);                                       \
        }                                                  \
    } while (0)

static uint64_t next_random(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* Mostly small, now and then up to 3 MiB, sometimes 0. */
static size_t some_size(uint64_t *random) {
    unsigned bits = (unsigned)(next_random(random) % 13);
    if (next_random(random) % 1024 == 0)
        bits = 21;
    return next_random(random) % ((size_t)3 << bits >> 1);
}

static void check_aligned(const void *at, size_t alignment, const char *by) {
    CHECK((uintptr_t)at % alignment == 0, "%s gave %p, which is not aligned to %zu", by, at, alignment);
}

static void check_filled(const struct block *block, size_t size, const char *when) {
    size_t same = 0;
    while (same < size && block->at[same] == block->pattern)
        same++;
    CHECK(same == size, "%s: byte %zu of %zu changed", when, same, block->size);
}

static void take(struct block *block, void *at, size_t size, unsigned char pattern) {
    *block = (struct block){at, size, pattern};
    CHECK(malloc_usable_size(at) >= size, "usable size %zu is below the %zu asked for", malloc_usable_size(at), size);
    memset(at, pattern, size);
}

static void allocate(struct block *block, uint64_t *random) {
    size_t size = some_size(random);
    size_t alignment = (size_t)1 << (4 + next_random(random) % 12);
    unsigned char pattern = (unsigned char)(next_random(random) | 1);
    void *at = NULL;
    switch (next_random(random) % 5) {
    case 0:
        at = calloc(1 + size / 8, 8);
        CHECK(at, "calloc of %zu returned nothing", size);
        check_filled(&(struct block){at, size, 0}, size, "calloc");
        check_aligned(at, size > 7 ? 16 : 8, "calloc");
        break;
    case 1:
        CHECK(posix_memalign(&at, alignment, size) == 0, "posix_memalign(%zu, %zu) failed", alignment, size);
        check_aligned(at, alignment, "posix_memalign");
        break;
    case 2:
        size = (size + alignment) / alignment * alignment;
        at = aligned_alloc(alignment, size);
        check_aligned(at, alignment, "aligned_alloc");
        break;
    default:
        at = malloc(size);
        check_aligned(at, size > 8 ? 16 : 8, "malloc");
    }
    CHECK(at, "no block of %zu", size);
    take(block, at, size, pattern);
}

static void resize(struct block *block, uint64_t *random) {
    size_t size = 1 + some_size(random);
    size_t kept = size < block->size ? size : block->size;
    unsigned char *at = realloc(block->at, size);
    CHECK(at, "realloc to %zu returned nothing", size);
    check_aligned(at, size > 8 ? 16 : 8, "realloc");
    block->at = at;
    check_filled(block, kept, "after realloc");
    take(block, at, size, block->pattern);
}

static void *churn(void *seed) {
    uint64_t random = *(uint64_t *)seed;
    struct block *blocks = calloc(SLOTS, sizeof *blocks);
    for (int step = 0; step < STEPS; step++) {
        struct block *block = &blocks[next_random(&random) % SLOTS];
        if (!block->at) {
            allocate(block, &random);
        } else if (next_random(&random) % 4 == 0) {
            check_filled(block, block->size, "before realloc");
            resize(block, &random);
        } else {
            check_filled(block, block->size, "before free");
            free(block->at);
            block->at = NULL;
        }
    }
    for (int i = 0; i < SLOTS; i++)
        free(blocks[i].at);
    free(blocks);
    return NULL;
}

/* One thread makes blocks, another looks at them and frees them. */
static struct block handed[HANDED];
static int made;

static void *free_handed(void *unused) {
    for (int i = 0; i < HANDED; i++) {
        while (__atomic_load_n(&made, __ATOMIC_ACQUIRE) <= i) {
        }
        check_filled(&handed[i], handed[i].size, "before a free by another thread");
        free(handed[i].at);
    }
    return unused;
}

static void hand_over(uint64_t random) {
    pthread_t other;
    CHECK(pthread_create(&other, NULL, free_handed, NULL) == 0, "no thread");
    for (int i = 0; i < HANDED; i++) {
        allocate(&handed[i], &random);
        __atomic_store_n(&made, i + 1, __ATOMIC_RELEASE);
    }
    pthread_join(other, NULL);
}

/* Blocks outlive the thread that made them. */
static void *make_one(void *slot) {
    struct block *block = slot;
    take(block, malloc(block->size), block->size, block->pattern);
    return NULL;
}

static void outlive(uint64_t random) {
    for (int i = 0; i < SHORT_THREADS; i++) {
        struct block block = {NULL, 1 + some_size(&random), (unsigned char)i};
        pthread_t thread;
        CHECK(pthread_create(&thread, NULL, make_one, &block) == 0, "no thread");
        pthread_join(thread, NULL);
        check_filled(&block, block.size, "after its thread's end");
        resize(&block, &random);
        free(block.at);
    }
}

static void refusals(void) {
    volatile size_t huge = SIZE_MAX / 2 + 1;
    void *untouched = &untouched;
    errno = 0;
    CHECK(malloc(huge + huge / 2) == NULL && errno == ENOMEM, "malloc of half the address space: no ENOMEM");
    errno = 0;
    CHECK(calloc(huge, 4) == NULL && errno == ENOMEM, "calloc overflows unnoticed");
    errno = 0;
    CHECK(reallocarray(NULL, huge, 4) == NULL && errno == ENOMEM, "reallocarray overflows unnoticed");
    CHECK(posix_memalign(&untouched, 24, 8) == EINVAL, "posix_memalign takes an alignment of 24");
    CHECK(posix_memalign(&untouched, 4, 8) == EINVAL, "posix_memalign takes an alignment of 4");
    CHECK(untouched == &untouched, "a refused posix_memalign wrote its result");
    free(NULL);
    CHECK(malloc_usable_size(NULL) == 0, "a null block has a usable size");
    void *page = valloc(1);
    check_aligned(page, 4096, "valloc");
    free(page);
    page = pvalloc(4097);
    check_aligned(page, 4096, "pvalloc");
    memset(page, 1, 8192);
    free(page);
    void *empty = malloc(0);
    CHECK(empty, "malloc(0) returned nothing");
    free(empty);
    empty = memalign(64, 0);
    check_aligned(empty, 64, "memalign");
    free(empty);
}

int main(int argc, char **argv) {
    uint64_t seeds[THREADS];
    pthread_t threads[THREADS];
    refusals();
    for (int i = 0; i < THREADS; i++) {
        seeds[i] = (uint64_t)(argc > 1 ? atoll(argv[1]) : 1) * 1000003 + (uint64_t)i + 1;
        CHECK(pthread_create(&threads[i], NULL, churn, &seeds[i]) == 0, "no thread");
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    hand_over(seeds[0]);
    outlive(seeds[1]);
    printf("%lu checks\n", checks);
    return 0;
}
