/*
 * What the recorder's files share.
 *
 *     record.c   the call path: wrappers, claim, publish         (each call of the program goes through it)
 *     ring.c     taking, leaving and filling up of rings         (slow path, a thread's first and last calls)
 *     start.c    who records                                     (once per process image)
 *     file.c     the file, its header, errors                    (once per process image; a ring's pages)
 *     clock.c    the stamp clock beside the system's             (once per process image; a few times a second)
 *     proc.c     what the system says of this process            (once per process image; around a malloc_trim)
 *     next.c     the functions that are wrapped                  (found once)
 *     marks.c    frames, ticks, phases, values
 *     lookup.c   swap calls and the ways to look them up
 */
#ifndef TIDEMARK_RECORDER_H
#define TIDEMARK_RECORDER_H

#include <stdbool.h>
#include <time.h>

#include "record_format.h"

#define EXPORT __attribute__((visibility("default")))
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

/* A session is one recording of one process image; its number is never one of these. */
enum { SESSION_NONE = 0, SESSION_STARTING = 1, SESSION_OFF = 2, SESSION_FIRST = 3 };

/*
 * State of this process, in a page that the kernel wipes in a forked child (MADV_WIPEONFORK): a child, however it was made
 * (fork, _Fork, a raw clone), finds SESSION_NONE and decides for itself; a vfork child shares its parent's memory and
 * goes on recording into it, which is right, since it allocates from its parent's heap.
 */
struct tidemark_process {
    _Alignas(65536) _Atomic uint64_t session;
    struct tidemark_header *header; /* set before `session` */
    unsigned char *rings; /* ring i begins at rings + i * ring_stride */
    _Atomic uint32_t growing; /* a thread is reserving the next ring */
    _Atomic uint32_t no_reader; /* a wait ended and no agent had ever come */
};

/* State of this thread. It begins, and is again after it left its ring, with head 1 and room_until 0: no room, the slow path. */
struct tidemark_thread {
    uint64_t session; /* of which `ring` is a part, else the number differs from the process's */
    struct tidemark_ring *ring;
    uint64_t head;         /* records written so far: the ring's head, or beyond it inside a call */
    uint64_t room_until;   /* a call may begin while head <= room_until */
    uint64_t mask;         /* of the ring's records */
    uint64_t attention_at; /* stamp at which a finished call has something to do: sync the clock, or leave the ring */
    uint64_t serial_session, serial; /* the serial that this thread has in that session */
    uint64_t inner, inner_size; /* the last block allocated inside a recorded call and not released there */
    uint32_t retry_in; /* calls until a thread without a ring looks for one again */
    bool busy;         /* inside a wrapper: what is called now is not the program's call */
    bool announced;    /* THREAD and NAME are in the ring */
    bool counted;      /* among threads_without_ring */
    bool ended;        /* its last clean-up has begun: each call takes a ring and leaves it again */
};

extern struct tidemark_process tidemark_process;
extern _Thread_local struct tidemark_thread tidemark_self __attribute__((tls_model("initial-exec")));
extern bool tidemark_clock_is_tsc;

/* The stamp clock. On x86-64 rdtsc where the kernel itself trusts it, on aarch64 the virtual counter. */
static inline uint64_t tidemark_clock(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static inline uint64_t tidemark_stamp(void)
{
#if defined(__x86_64__)
    if (likely(tidemark_clock_is_tsc)) {
        return __builtin_ia32_rdtsc();
    }
    return tidemark_clock(CLOCK_MONOTONIC_RAW);
#elif defined(__aarch64__)
    uint64_t count;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(count));
    return count;
#else
#error "the recorder knows x86-64 and aarch64"
#endif
}

/* The word of a record; a longer duration is cut to the longest that can be said. */
static inline uint64_t tidemark_word(unsigned operation, unsigned flags, unsigned alignment_log2, uint64_t duration)
{
    if (unlikely(duration > TIDEMARK_DURATION_MAX)) {
        duration = TIDEMARK_DURATION_MAX;
    }
    return duration | (uint64_t)alignment_log2 << TIDEMARK_ALIGNMENT_SHIFT | (uint64_t)flags << TIDEMARK_FLAGS_SHIFT
           | (uint64_t)operation << TIDEMARK_OPERATION_SHIFT;
}

static inline void tidemark_put(struct tidemark_thread *self, uint64_t begin, uint64_t word, uint64_t address, uint64_t size)
{
    self->ring->records[self->head++ & self->mask]
        = (struct tidemark_record){.begin = begin, .word = word, .address = address, .size = size};
}

/* record.c: a mark, at this moment, in the calling thread's stream. */
void tidemark_mark(enum tidemark_operation operation, uint64_t address, uint64_t size);

/* ring.c. All keep errno and are called with `busy` set. */
bool tidemark_prepare(struct tidemark_thread *self); /* a ring with room for a call; false: the call is not recorded */
void tidemark_attend(struct tidemark_thread *self);  /* at attention_at: sync the clock, leave the ring */
void tidemark_rings_begin(void);                     /* once per process image */

/* start.c: decides and starts; false: nothing is recorded (now). */
bool tidemark_start(void);
const char *tidemark_setting(const char *name); /* TIDEMARK_name of the environment, without a lock; NULL where absent */

/* clock.c */
void tidemark_write_clock(struct tidemark_header *header); /* the header's clock, and where it stands now */
void tidemark_sync_clock(struct tidemark_header *header);

/* next.c */
void *tidemark_find(const char *symbol);                   /* the next library's, NULL where there is none */
void *tidemark_find_for(const char *symbol, void *caller); /* also in what only the caller's library can see */
extern void *(*tidemark_real_dlsym)(void *, const char *); /* set by the first tidemark_find */

/* proc.c: resident bytes that are this process's own alone, to some pages; TIDEMARK_UNREADABLE where they can't be read. Keep errno. */
int64_t tidemark_private_bytes(void);
int64_t tidemark_lost_bytes(int64_t before); /* what it has less than before; below 0: more */

/* marks.c */
void tidemark_marks_begin(void); /* reads the settings; before the session is announced */
void tidemark_mark_swap(enum tidemark_mark mark);

#endif
