/*
 * A library preloaded behind the recorder that counts what passes: an independent count of calls and bytes on real programs.
 * It shares no code with the recorder and no method: no rings, no time, only sums. operator new is not wrapped here, so it is
 * seen as libstdc++'s malloc; the totals of both must agree all the same.
 *
 * Keeps in $ORACLE_FILE.PID five 64-bit numbers, there at any death: allocs (that did not fail), bytes (asked for, of resizes
 * too), frees (not of NULL), reallocs, failed.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* The counts live in a file mapped shared, so that they outlive any death. */
struct counts {
    _Atomic unsigned long allocs, alloc_bytes, frees, reallocs, failed;
};
static struct counts before_start, *counts = &before_start;

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void __libc_free(void *block);
void *__libc_memalign(size_t alignment, size_t size);

static void leave(void) /* a forked child counts for nobody */
{
    counts = &before_start;
}

__attribute__((constructor)) static void begin(void)
{
    char path[512];
    const char *file = getenv("ORACLE_FILE");
    if (!file) {
        return;
    }
    snprintf(path, sizeof path, "%s.%d", file, (int)getpid());
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd >= 0 && ftruncate(fd, sizeof *counts) == 0) {
        void *shared = mmap(NULL, sizeof *counts, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        if (shared != MAP_FAILED) {
            counts = memcpy(shared, &before_start, sizeof before_start);
            pthread_atfork(NULL, NULL, leave);
        }
    }
    if (fd >= 0) {
        close(fd);
    }
}

static void *allocated(void *block, size_t size)
{
    if (!environ) {
        return block; /* the loader's own, before there is a program */
    }
    if (block || size == 0) {
        counts->allocs++;
        counts->alloc_bytes += size;
    } else {
        counts->failed++;
    }
    return block;
}

void *malloc(size_t size) { return allocated(__libc_malloc(size), size); }
void *calloc(size_t count, size_t size) { return allocated(__libc_calloc(count, size), count * size); }
void *memalign(size_t alignment, size_t size) { return allocated(__libc_memalign(alignment, size), size); }
void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }
void *valloc(size_t size) { return memalign(4096, size); }

int posix_memalign(void **block, size_t alignment, size_t size)
{
    if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0) {
        counts->failed++;
        return EINVAL;
    }
    int saved = errno;
    void *made = memalign(alignment, size);
    errno = saved;
    if (!made) {
        return ENOMEM;
    }
    *block = made;
    return 0;
}

void free(void *block)
{
    if (block) {
        counts->frees++;
        __libc_free(block);
    }
}

void *realloc(void *old, size_t size)
{
    void *block = __libc_realloc(old, size);
    if (!block && size > 0) {
        counts->failed++;
    } else {
        counts->reallocs++;
        counts->alloc_bytes += size;
    }
    return block;
}

void *reallocarray(void *old, size_t count, size_t size) { return realloc(old, count * size); }
