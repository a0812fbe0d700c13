/*
 * Finds the functions that are wrapped, in whatever library comes next: an allocator preloaded after the recorder, else libc.
 *
 * Three difficulties. The loader allocates while it looks up: served from a small static area. An allocator may lack a
 * function that libc has (jemalloc has no pvalloc): libc's would hand out a block of libc's heap that the program then
 * gives to the allocator's free, so such a function is served through the allocator's own aligned one. And operator new may
 * live where RTLD_NEXT does not look, in a libstdc++ that came by a local dlopen: RTLD_NOLOAD finds that.
 */
#define _GNU_SOURCE
#include "next.h"
#include "recorder.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <string.h>
#include <unistd.h>

struct tidemark_next tidemark_next;
size_t tidemark_page_bytes = 4096;
void *(*tidemark_real_dlsym)(void *, const char *);

_Alignas(64) unsigned char tidemark_early[TIDEMARK_EARLY_BYTES];
static _Atomic size_t early_used;
static _Thread_local bool is_resolving;

static void *early_calloc(size_t count, size_t size)
{
    size_t bytes = tidemark_product(count, size);
    if (bytes > TIDEMARK_EARLY_BYTES) {
        return NULL;
    }
    size_t at = atomic_fetch_add(&early_used, (bytes + 31) & ~(size_t)15);
    return at + bytes + 32 <= TIDEMARK_EARLY_BYTES ? tidemark_early + at : NULL;
}

static void *early_malloc(size_t size)
{
    return early_calloc(1, size);
}

static void *early_realloc(void *old, size_t size)
{
    return tidemark_copy_early(old, early_calloc(1, size), size);
}

static void early_free(void *block)
{
    (void)block;
}

void *tidemark_copy_early(const void *old, void *block, size_t size)
{
    if (block && old) {
        /* How long the old block was is not known; what lies behind it in the area may be copied along. */
        size_t readable = TIDEMARK_EARLY_BYTES - ((uintptr_t)old - (uintptr_t)tidemark_early);
        memcpy(block, old, size < readable ? size : readable);
    }
    return block;
}

/* The program's dlsym is ours (lookup.c): for the real one, dlvsym with the versions it has had. */
static void find_dlsym(void)
{
    static const char *const versions[] = {"GLIBC_2.34", "GLIBC_2.2.5", "GLIBC_2.17"};
    for (size_t i = 0; !tidemark_real_dlsym && i < sizeof versions / sizeof *versions; i++) {
        void *found = dlvsym(RTLD_NEXT, "dlsym", versions[i]);
        memcpy(&tidemark_real_dlsym, &found, sizeof found);
    }
}

void *tidemark_find(const char *symbol)
{
    if (!tidemark_real_dlsym) {
        find_dlsym();
    }
    return tidemark_real_dlsym ? tidemark_real_dlsym(RTLD_NEXT, symbol) : NULL;
}

/* In a library that is loaded already, and in what it brought along; NULL where it is not loaded. */
static void *find_in(const char *library, const char *symbol)
{
    void *handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
    return handle && tidemark_real_dlsym ? tidemark_real_dlsym(handle, symbol) : NULL;
}

void *tidemark_find_for(const char *symbol, void *caller)
{
    Dl_info library;
    void *found = tidemark_find(symbol);
    if (!found && dladdr(caller, &library) && library.dli_fname) {
        found = find_in(library.dli_fname, symbol);
    }
    return found;
}

/* Aligned blocks of the allocator itself, whichever of the three ways it has. */
static void *(*own_memalign)(size_t, size_t);
static int (*own_posix_memalign)(void **, size_t, size_t);

static void *own_aligned(size_t alignment, size_t size)
{
    void *block = NULL;
    if (!own_posix_memalign) {
        return own_memalign(alignment, size);
    }
    int error = own_posix_memalign(&block, alignment < sizeof(void *) ? sizeof(void *) : alignment, size);
    if (error) {
        errno = error;
    }
    return error ? NULL : block;
}

static int own_aligned_posix(void **block, size_t alignment, size_t size)
{
    if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0) {
        return EINVAL;
    }
    int saved = errno;
    void *made = own_aligned(alignment, size);
    errno = saved;
    if (!made && size > 0) {
        return ENOMEM;
    }
    *block = made;
    return 0;
}

static void *own_valloc(size_t size)
{
    return own_aligned(tidemark_page_bytes, size);
}

static void *own_pvalloc(size_t size)
{
    size_t bytes = (size + tidemark_page_bytes - 1) & ~(tidemark_page_bytes - 1);
    if (bytes < size) {
        errno = ENOMEM;
        return NULL;
    }
    return own_aligned(tidemark_page_bytes, bytes);
}

static void *own_reallocarray(void *old, size_t count, size_t size)
{
    size_t bytes = tidemark_product(count, size);
    if (bytes == SIZE_MAX) {
        errno = ENOMEM;
        return NULL;
    }
    return NEXT(realloc)(old, bytes);
}

static int no_trim(size_t pad)
{
    (void)pad;
    return 0;
}

static const void *library_of(const void *function)
{
    Dl_info library;
    return function && dladdr(function, &library) ? library.dli_fbase : NULL;
}

/* The allocator's function, else ours over its own, else whatever there is. */
static void *own_or(const char *symbol, const void *allocator, void *ours, bool can_align)
{
    void *found = tidemark_find(symbol);
    return found && (!can_align || library_of(found) == allocator) ? found : can_align ? ours : found;
}

#define STORE(name, function)                                                            \
    do {                                                                                 \
        __typeof__(atomic_load(&tidemark_next.name)) typed;                                  \
        void *untyped = (function);                                                      \
        memcpy(&typed, &untyped, sizeof typed);                                          \
        atomic_store_explicit(&tidemark_next.name, typed, memory_order_relaxed);         \
    } while (0)

static void resolve_c(void)
{
    long page = sysconf(_SC_PAGESIZE);
    tidemark_page_bytes = page > 0 ? (size_t)page : 4096;
    void *next_malloc = tidemark_find("malloc");
    const void *allocator = library_of(next_malloc);
    void *aligned = tidemark_find("memalign");
    if (library_of(aligned) != allocator) {
        aligned = tidemark_find("aligned_alloc");
    }
    void *posix = tidemark_find("posix_memalign");
    bool has_posix = library_of(posix) == allocator;
    bool can_align = has_posix || library_of(aligned) == allocator;
    memcpy(&own_memalign, &aligned, sizeof aligned);
    if (has_posix) {
        memcpy(&own_posix_memalign, &posix, sizeof posix);
    }
    STORE(free, tidemark_find("free")); /* malloc last: who finds it finds the others */
    STORE(calloc, tidemark_find("calloc"));
    STORE(realloc, tidemark_find("realloc"));
    STORE(reallocarray, own_or("reallocarray", allocator, (void *)own_reallocarray, true));
    STORE(posix_memalign, own_or("posix_memalign", allocator, (void *)own_aligned_posix, can_align));
    STORE(aligned_alloc, own_or("aligned_alloc", allocator, (void *)own_aligned, can_align));
    STORE(memalign, own_or("memalign", allocator, (void *)own_aligned, can_align));
    STORE(valloc, own_or("valloc", allocator, (void *)own_valloc, can_align));
    STORE(pvalloc, own_or("pvalloc", allocator, (void *)own_pvalloc, can_align));
    void *trim = tidemark_find("malloc_trim");
    STORE(malloc_trim, trim ? trim : (void *)no_trim);
    STORE(malloc, next_malloc);
}

/* One thread's look-up may run beside another's: both find the same. */
static void resolve_c_once(void)
{
    if (!is_resolving) {
        int saved = errno;
        is_resolving = true;
        resolve_c();
        is_resolving = false;
        errno = saved;
    }
}

#define RESOLVE_C(name, result, parameters)                                              \
    result(*tidemark_resolve_##name(void)) parameters                                    \
    {                                                                                    \
        resolve_c_once();                                                                \
        return atomic_load_explicit(&tidemark_next.name, memory_order_relaxed);          \
    }
#define RESOLVE_C_EARLY(name, result, parameters)                                        \
    result(*tidemark_resolve_##name(void)) parameters                                    \
    {                                                                                    \
        resolve_c_once();                                                                \
        result(*found) parameters = atomic_load_explicit(&tidemark_next.name, memory_order_relaxed); \
        return found ? found : early_##name;                                             \
    }
RESOLVE_C_EARLY(malloc, void *, (size_t))
RESOLVE_C_EARLY(calloc, void *, (size_t, size_t))
RESOLVE_C_EARLY(realloc, void *, (void *, size_t))
RESOLVE_C_EARLY(free, void, (void *))
RESOLVE_C(reallocarray, void *, (void *, size_t, size_t))
RESOLVE_C(posix_memalign, int, (void **, size_t, size_t))
RESOLVE_C(aligned_alloc, void *, (size_t, size_t))
RESOLVE_C(memalign, void *, (size_t, size_t))
RESOLVE_C(valloc, void *, (size_t))
RESOLVE_C(pvalloc, void *, (size_t))
RESOLVE_C(malloc_trim, int, (size_t))

/* Without any C++ library in sight there is nothing that could throw: the plain C functions then. */
static void *plain_new(size_t size)
{
    return NEXT(malloc)(size > 0 ? size : 1);
}

static void *plain_new_aligned(size_t size, size_t alignment)
{
    return NEXT(memalign)(alignment, size > 0 ? size : 1);
}

static void plain_delete(void *block)
{
    NEXT(free)(block);
}

/* The C++ library wherever it was loaded from. Unlike dlopen this leaves no dlerror text where there is none. */
static int is_cxx_library(struct dl_phdr_info *library, size_t size, void *path)
{
    (void)size;
    const char *name = strrchr(library->dlpi_name, '/');
    name = name ? name + 1 : library->dlpi_name;
    bool is_cxx = strncmp(name, "libstdc++.so", 12) == 0 || strncmp(name, "libc++.so", 9) == 0
                  || strncmp(name, "libc++abi.so", 12) == 0;
    if (is_cxx) {
        *(const char **)path = library->dlpi_name;
    }
    return is_cxx;
}

static void *find_cxx(const char *symbol)
{
    const char *library = NULL;
    int saved = errno;
    void *found = tidemark_find(symbol);
    if (!found && dl_iterate_phdr(is_cxx_library, &library)) {
        found = find_in(library, symbol);
    }
    if (!found) {
        bool is_new = symbol[2] == 'n', is_aligned = strstr(symbol, "St11align_val_t") != NULL;
        found = !is_new ? (void *)plain_delete : is_aligned ? (void *)plain_new_aligned : (void *)plain_new;
    }
    errno = saved;
    return found;
}

#define RESOLVE_CXX(name, result, parameters)                                            \
    result(*tidemark_resolve_##name(void)) parameters                                    \
    {                                                                                    \
        STORE(name, find_cxx(#name));                                                    \
        return atomic_load_explicit(&tidemark_next.name, memory_order_relaxed);          \
    }
TIDEMARK_CXX(RESOLVE_CXX, nw, dl)
TIDEMARK_CXX(RESOLVE_CXX, na, da)

/*
 * Before main, for a program that has C++ from its start: a look-up at the first call would happen inside that call, where it
 * drops the program's pending dlerror text and releases it unseen.
 */
#define RESOLVE_NOW(name, result, parameters) tidemark_resolve_##name();
void tidemark_resolve_cxx(void)
{
    const char *library;
    if (dl_iterate_phdr(is_cxx_library, &library)) {
        TIDEMARK_CXX(RESOLVE_NOW, nw, dl)
        TIDEMARK_CXX(RESOLVE_NOW, na, da)
    }
}
