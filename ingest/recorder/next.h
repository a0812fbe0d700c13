/* The functions that are wrapped: for each the next one in the order of look-up, found at its first call. */
#ifndef TIDEMARK_NEXT_H
#define TIDEMARK_NEXT_H

#include <malloc.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* The two families of operator new and delete have no C header. */
#define TIDEMARK_CXX(X, nw, dl)                                                                \
    X(_Z##nw##m, void *, (size_t))                                                             \
    X(_Z##nw##mRKSt9nothrow_t, void *, (size_t, const void *))                                 \
    X(_Z##nw##mSt11align_val_t, void *, (size_t, size_t))                                      \
    X(_Z##nw##mSt11align_val_tRKSt9nothrow_t, void *, (size_t, size_t, const void *))          \
    X(_Z##dl##Pv, void, (void *))                                                              \
    X(_Z##dl##Pvm, void, (void *, size_t))                                                     \
    X(_Z##dl##PvRKSt9nothrow_t, void, (void *, const void *))                                  \
    X(_Z##dl##PvSt11align_val_t, void, (void *, size_t))                                       \
    X(_Z##dl##PvmSt11align_val_t, void, (void *, size_t, size_t))                              \
    X(_Z##dl##PvSt11align_val_tRKSt9nothrow_t, void, (void *, size_t, const void *))

#define TIDEMARK_C(X)                                  \
    X(malloc, void *, (size_t))                        \
    X(calloc, void *, (size_t, size_t))                \
    X(free, void, (void *))                            \
    X(realloc, void *, (void *, size_t))               \
    X(reallocarray, void *, (void *, size_t, size_t))  \
    X(posix_memalign, int, (void **, size_t, size_t))  \
    X(aligned_alloc, void *, (size_t, size_t))         \
    X(memalign, void *, (size_t, size_t))              \
    X(valloc, void *, (size_t))                        \
    X(pvalloc, void *, (size_t))                       \
    X(malloc_trim, int, (size_t))

#define TIDEMARK_ALL(X) TIDEMARK_C(X) TIDEMARK_CXX(X, nw, dl) TIDEMARK_CXX(X, na, da)

#define TIDEMARK_FIELD(name, result, parameters) result(*_Atomic name) parameters;
struct tidemark_next {
    TIDEMARK_ALL(TIDEMARK_FIELD)
};
extern struct tidemark_next tidemark_next;

#define TIDEMARK_DECLARE(name, result, parameters) result name parameters;
TIDEMARK_CXX(TIDEMARK_DECLARE, nw, dl)
TIDEMARK_CXX(TIDEMARK_DECLARE, na, da)

/* Finds all of the C family, or one of operator new and delete. What it returns can always be called. */
#define TIDEMARK_RESOLVER(name, result, parameters) result(*tidemark_resolve_##name(void)) parameters;
TIDEMARK_ALL(TIDEMARK_RESOLVER)

#define NEXT(name)                                                                            \
    (__builtin_expect(atomic_load_explicit(&tidemark_next.name, memory_order_relaxed) != 0, 1) \
         ? atomic_load_explicit(&tidemark_next.name, memory_order_relaxed)                     \
         : tidemark_resolve_##name())

void tidemark_resolve_cxx(void); /* all of operator new and delete, if they are there yet */

/* While a thread looks symbols up, what the loader allocates comes from here. Never given back. */
enum { TIDEMARK_EARLY_BYTES = 65536 };
extern unsigned char tidemark_early[TIDEMARK_EARLY_BYTES];
static inline bool tidemark_is_early(const void *block)
{
    return (uintptr_t)block - (uintptr_t)tidemark_early < TIDEMARK_EARLY_BYTES;
}
void *tidemark_copy_early(const void *old, void *block, size_t size); /* returns block */

extern size_t tidemark_page_bytes;

/* A product, or the largest number where it has none: no allocator can serve that. */
static inline size_t tidemark_product(size_t count, size_t size)
{
    size_t bytes;
    return __builtin_mul_overflow(count, size, &bytes) ? SIZE_MAX : bytes;
}

#endif
