/*
 * Allocators that are wrong in one known way each, over the C library's: built several times, with -DBROKEN_...
 *
 *   SLEEP       right, but its malloc of 7919 bytes sleeps 2 ms
 *   LEAK        gives back every third block only
 *   OVERLAP     each malloc of 4099 bytes lies in the one before
 *   MISALIGN    calls for an alignment over 16 come 16 bytes behind it
 *   UNZEROED    calloc leaves what was there
 *   RESIZE      a realloc that grows copies 16 bytes less
 *   REMOTE      a block released by another thread than its maker is handed out again, while that thread goes on to use it
 *   NULL        malloc of 4099 bytes returns NULL
 *   CRASH       malloc of 4099 bytes ends the process with SIGSEGV
 *   COUNT       right; counts calls and bytes of sizes over 1,000 and writes them into the file $COUNT_FILE at exit
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t count, size_t bytes);
extern void *__libc_realloc(void *block, size_t bytes);
extern void *__libc_memalign(size_t alignment, size_t bytes);
extern void __libc_free(void *block);

enum { SLEEPING = 7919, WRONG = 4099 };

static _Atomic uint64_t calls, bytes_asked, releases;

static void count(size_t bytes)
{
    if (bytes > 1000) {
        calls++;
        bytes_asked += bytes;
    }
}

void *malloc(size_t bytes)
{
    count(bytes);
#if defined(BROKEN_SLEEP)
    if (bytes == SLEEPING) {
        nanosleep(&(struct timespec){0, 2000000}, NULL);
    }
#elif defined(BROKEN_OVERLAP)
    static _Atomic(char *) last;
    if (bytes == WRONG && last) {
        return last + 64;
    }
    if (bytes == WRONG) {
        return last = __libc_malloc(2 * WRONG);
    }
#elif defined(BROKEN_NULL)
    if (bytes == WRONG) {
        return NULL;
    }
#elif defined(BROKEN_CRASH)
    if (bytes == WRONG) {
        *(volatile int *)16 = 0;
    }
#elif defined(BROKEN_REMOTE)
    if (bytes == WRONG) {
        static __thread char *own;
        static _Atomic(char *) shared;
        if (!own) {
            own = shared ? shared : (shared = __libc_malloc(2 * WRONG));
        }
        return own;
    }
#endif
    return __libc_malloc(bytes);
}

void *calloc(size_t number, size_t bytes)
{
    count(number * bytes);
#if defined(BROKEN_UNZEROED)
    if (number * bytes > 1000) {
        char *block = __libc_malloc(number * bytes);
        return block ? memset(block, 0xaa, 1) : NULL;
    }
#endif
    return __libc_calloc(number, bytes);
}

void *realloc(void *block, size_t bytes)
{
    count(bytes);
#if defined(BROKEN_RESIZE)
    size_t before = block ? malloc_usable_size(block) : 0;
    if (block && bytes > before && before > 64) {
        char *moved = __libc_malloc(bytes);
        memset(moved, 0, bytes);
        memcpy(moved, block, before - 48);
        __libc_free(block);
        return moved;
    }
#endif
    return __libc_realloc(block, bytes);
}

int posix_memalign(void **block, size_t alignment, size_t bytes)
{
    count(bytes);
#if defined(BROKEN_MISALIGN)
    *block = alignment > 16 ? (char *)__libc_memalign(alignment, bytes + 16) + 16 : __libc_memalign(alignment, bytes);
#else
    *block = __libc_memalign(alignment, bytes);
#endif
    return *block ? 0 : ENOMEM;
}

void free(void *block)
{
    releases += block != NULL;
#if defined(BROKEN_LEAK)
    if (releases % 3 != 0) {
        return;
    }
#elif defined(BROKEN_MISALIGN)
    if (((uintptr_t)block & 63) == 16) {
        return;
    }
#elif defined(BROKEN_OVERLAP) || defined(BROKEN_REMOTE)
    if (block && malloc_usable_size(block) > WRONG) {
        return;
    }
#endif
    __libc_free(block);
}

#if defined(BROKEN_COUNT)
__attribute__((destructor)) static void tell(void)
{
    char text[128];
    const char *path = getenv("COUNT_FILE");
    int fd = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600) : -1;
    int length = snprintf(text, sizeof text, "calls=%llu bytes=%llu", (unsigned long long)calls, (unsigned long long)bytes_asked);
    if (fd >= 0 && write(fd, text, (size_t)length) != length) {
        _exit(9);
    }
}
#endif
