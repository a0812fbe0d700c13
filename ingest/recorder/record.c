/*
 * The call path: what happens around each allocation of the recorded program.
 *
 * Captured: every outermost call of the C allocation functions and of operator new and delete, with its begin, duration,
 * size, alignment and address. Not captured: calls inside such a call (operator new calls malloc), also those of a signal
 * handler that interrupts one; free(NULL); calls of a static program, of a dlmopen namespace, of an allocator inside the
 * program. Lost: what finds its ring full (`dropped`) or its thread without a ring (`dropped_without_ring`); nothing else.
 *
 * No lock, no system call (but beside a malloc_trim), no page fault and no allocation here: a ring belongs to one thread, its
 * pages are reserved, and one release store publishes what was written. record_format.h says in which order, and why.
 */
#include "next.h"
#include "recorder.h"

#define INLINE __attribute__((always_inline)) inline
_Thread_local struct tidemark_thread tidemark_self = {.head = 1};

struct call {
    struct tidemark_thread *self; /* NULL: not recorded */
    uint64_t begin, address, size;
    unsigned operation, alignment_log2;
};

/* Claim: busy first, then the stamp. A stamp taken earlier could be older than what the agent has already passed on. */
static INLINE struct call begin(unsigned operation, const void *block, uint64_t size, uint64_t alignment)
{
    struct call call = {.operation = operation, .address = (uint64_t)block, .size = size};
    struct tidemark_thread *self = &tidemark_self;
    uint64_t session = atomic_load_explicit(&tidemark_process.session, memory_order_relaxed);
    if (unlikely(self->busy || session == SESSION_OFF)) {
        return call;
    }
    self->busy = true;
    atomic_signal_fence(memory_order_seq_cst); /* from here on a signal handler's calls pass by */
    if (unlikely(self->session != session || self->head > self->room_until) && !tidemark_prepare(self)) {
        self->busy = false;
        return call;
    }
    call.self = self;
    self->inner = 0;
    call.alignment_log2 = alignment == 0 ? 0 : (unsigned)__builtin_ctzll(alignment);
    atomic_store_explicit(&self->ring->inflight, TIDEMARK_BUSY, memory_order_relaxed);
    atomic_signal_fence(memory_order_seq_cst);
    call.begin = tidemark_stamp();
    atomic_store_explicit(&self->ring->inflight, call.begin, memory_order_release);
    return call;
}

/* A record that stands before the call's own, published with it. */
static inline void precede(struct call *call, unsigned operation, uint64_t end, uint64_t address, uint64_t size)
{
    tidemark_put(call->self, call->begin, tidemark_word(operation, 0, 0, end - call->begin), address, size);
}

/* Publish: one store makes all records of the call readable, the next says that nothing is in flight any more. */
static INLINE void publish(struct call *call, uint64_t end, unsigned flags)
{
    struct tidemark_thread *self = call->self;
    uint64_t word = tidemark_word(call->operation, flags, call->alignment_log2, end - call->begin);
    tidemark_put(self, call->begin, word, call->address, call->size);
    atomic_store_explicit(&self->ring->head, self->head, memory_order_release);
    atomic_store_explicit(&self->ring->inflight, 0, memory_order_release);
    if (unlikely(end >= self->attention_at)) {
        tidemark_attend(self);
    }
    atomic_signal_fence(memory_order_seq_cst);
    self->busy = false;
}

/* The ends of wrappers; as cleanups they run when an exception leaves one, too. An operator new that throws has allocated
 * the exception inside, and the program releases that later: of inner blocks this one alone is recorded, as a malloc. */
static INLINE void made(struct call *call)
{
    if (unlikely(!call->self)) {
        tidemark_self.inner = call->address;
        tidemark_self.inner_size = call->size;
        return;
    }
    uint64_t end = tidemark_stamp();
    bool has_failed = call->address == 0 && call->size > 0;
    if (unlikely(has_failed && call->self->inner != 0)) {
        precede(call, TIDEMARK_MALLOC, end, call->self->inner, call->self->inner_size);
    }
    publish(call, end, has_failed ? TIDEMARK_FAILED : 0);
}

static INLINE void gone(struct call *call)
{
    if (likely(call->self)) {
        publish(call, tidemark_stamp(), 0);
    } else if (tidemark_self.inner == call->address) {
        tidemark_self.inner = 0;
    }
}

static inline void *resized(struct call *call, const void *old, void *block)
{
    if (likely(call->self)) {
        uint64_t end = tidemark_stamp();
        precede(call, TIDEMARK_REALLOC_FROM, end, (uint64_t)old, 0);
        call->address = (uint64_t)block;
        publish(call, end, !block && call->size > 0 ? TIDEMARK_FAILED : 0);
    }
    return block;
}

void tidemark_mark(enum tidemark_operation operation, uint64_t name, uint64_t value)
{
    struct call call = begin(operation, NULL, value, 0);
    if (call.self) {
        call.address = name;
        publish(&call, call.begin, 0);
    }
}

/* The call of a wrapper, and how it ends. */
#define ENDS(how) __attribute__((cleanup(how))) struct call call

/* What the wrappers of functions that return a block have in common: its name, parameters, bytes, alignment, arguments. */
#define MAKE(operation, name, parameters, bytes, alignment, ...)                      \
    EXPORT void *name parameters                                                      \
    {                                                                                 \
        ENDS(made) = begin(operation, NULL, bytes, alignment);                        \
        void *block = NEXT(name)(__VA_ARGS__);                                        \
        call.address = (uint64_t)block;                                               \
        return block;                                                                 \
    }
MAKE(TIDEMARK_MALLOC, malloc, (size_t size), size, 0, size)
MAKE(TIDEMARK_CALLOC, calloc, (size_t count, size_t size), tidemark_product(count, size), 0, count, size)
MAKE(TIDEMARK_ALIGNED, aligned_alloc, (size_t alignment, size_t size), size, alignment, alignment, size)
MAKE(TIDEMARK_ALIGNED, memalign, (size_t alignment, size_t size), size, alignment, alignment, size)
MAKE(TIDEMARK_ALIGNED, valloc, (size_t size), size, tidemark_page_bytes, size)
MAKE(TIDEMARK_ALIGNED, pvalloc, (size_t size), size, tidemark_page_bytes, size)

EXPORT int posix_memalign(void **block, size_t alignment, size_t size)
{
    ENDS(made) = begin(TIDEMARK_ALIGNED, NULL, size, alignment);
    int error = NEXT(posix_memalign)(block, alignment, size);
    call.address = error ? 0 : (uint64_t)*block;
    return error;
}

#define RESIZE(name, parameters, bytes, ...)                           \
    EXPORT void *name parameters                                       \
    {                                                                  \
        if (unlikely(tidemark_is_early(old))) {                        \
            return tidemark_copy_early(old, malloc(bytes), bytes);     \
        }                                                              \
        struct call call = begin(TIDEMARK_REALLOC, NULL, bytes, 0);    \
        return resized(&call, old, NEXT(name)(__VA_ARGS__));           \
    }
RESIZE(realloc, (void *old, size_t size), size, old, size)
RESIZE(reallocarray, (void *old, size_t count, size_t size), tidemark_product(count, size), old, count, size)

EXPORT void free(void *block)
{
    if (likely(block && !tidemark_is_early(block))) {
        ENDS(gone) = begin(TIDEMARK_FREE, block, 0, 0);
        NEXT(free)(block);
    }
}

EXPORT int malloc_trim(size_t pad)
{
    struct call call = begin(TIDEMARK_TRIM, NULL, 0, 0);
    int64_t before = call.self ? tidemark_private_bytes() : TIDEMARK_UNREADABLE;
    call.begin = tidemark_stamp(); /* later than what is in flight, so that the watermark holds */
    call.address = (uint64_t)NEXT(malloc_trim)(pad);
    uint64_t end = tidemark_stamp();
    if (call.self) {
        call.size = (uint64_t)tidemark_lost_bytes(before);
        publish(&call, end, 0);
    }
    return (int)call.address;
}

/* operator new and delete by their mangled names: nw and dl are scalar, na and da arrays; m is the size. */
#define DELETE(name, parameters, bytes, ...)                                          \
    EXPORT void name parameters                                                       \
    {                                                                                 \
        if (likely(block)) {                                                          \
            ENDS(gone) = begin(TIDEMARK_DELETE, block, bytes, 0);                     \
            NEXT(name)(__VA_ARGS__);                                                  \
        }                                                                             \
    }
#define NEW(name, parameters, alignment, ...) MAKE(TIDEMARK_NEW, name, parameters, size, alignment, __VA_ARGS__)
#define EVERY(nw, dl)                                                                                                   \
    NEW(_Z##nw##m, (size_t size), 0, size)                                                                              \
    NEW(_Z##nw##mRKSt9nothrow_t, (size_t size, const void *nothrow), 0, size, nothrow)                                  \
    NEW(_Z##nw##mSt11align_val_t, (size_t size, size_t to), to, size, to)                                               \
    NEW(_Z##nw##mSt11align_val_tRKSt9nothrow_t, (size_t size, size_t to, const void *nothrow), to, size, to, nothrow)   \
    DELETE(_Z##dl##Pv, (void *block), 0, block)                                                                         \
    DELETE(_Z##dl##Pvm, (void *block, size_t size), size, block, size)                                                  \
    DELETE(_Z##dl##PvRKSt9nothrow_t, (void *block, const void *nothrow), 0, block, nothrow)                             \
    DELETE(_Z##dl##PvSt11align_val_t, (void *block, size_t to), 0, block, to)                                           \
    DELETE(_Z##dl##PvmSt11align_val_t, (void *block, size_t size, size_t to), size, block, size, to)                    \
    DELETE(_Z##dl##PvSt11align_val_tRKSt9nothrow_t, (void *block, size_t to, const void *nothrow), 0, block, to, nothrow)
EVERY(nw, dl)
EVERY(na, da)
