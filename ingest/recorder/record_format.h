/*
 * The shared memory between the recorder (C, inside the recorded process) and the agent (Java, beside it).
 *
 * Every process image that is recorded makes one file in the ring folder (TIDEMARK_RING_DIR):
 *
 *     .PID-STAMP.tmp           while its header is being written: not to be read
 *     PID-STAMP.ring           renamed to this when the header is complete; mode 0600
 *     PID-STAMP.REASON.error   instead, when nothing can be recorded. The reason stands in the name, since a full
 *                              file system still takes names; the file holds one line of text where there was room
 *
 * PID is decimal, as the process sees itself; STAMP is 16 hexadecimal digits of CLOCK_MONOTONIC ns at the start of the
 * image. An exec in the recorded process makes a new file with the same PID, the same `process_start_ticks` and a later
 * STAMP: the older file then is complete. The folder has mode 01733, so that a process that became another user can still
 * create its file. Everything is little endian. The file is sparse: a ring's pages are reserved when a thread first takes
 * it. The agent deletes a file when it has read it to its end.
 *
 *     +-------------------+ 0
 *     | header            |  struct tidemark_header: identity, clock, counters, heartbeat, settings, names
 *     +-------------------+ rings_offset
 *     | ring 0            |  struct tidemark_ring (4 KiB), then ring_records records of 32 bytes
 *     +-------------------+ rings_offset + ring_stride
 *     | ring 1            |
 *     | ...               |  only rings below `rings_used` have ever been taken: the others are holes
 *     +-------------------+ rings_offset + ring_count * ring_stride
 *
 * A record: four 64-bit words.
 *
 *     63      56 55      48 47      40 39                                      0
 *     +------------------------------------------------------------------------+
 *  0  | begin: stamp before the real call                                      |
 *     +----------+----------+----------+---------------------------------------+
 *  8  |operation |  flags   |log2 align|  duration in stamp units, 40 bits     |
 *     +----------+----------+----------+---------------------------------------+
 * 16  | address (or as the operation says)                                     |
 *     +------------------------------------------------------------------------+
 * 24  | size    (or as the operation says)                                     |
 *     +------------------------------------------------------------------------+
 *
 * The stamp of the return is begin + duration. A duration of 2^40 - 1 (six minutes at 3 GHz) means that or longer.
 *
 * Threads. A ring belongs to one thread at a time and is taken over by another as soon as its thread has ended, read or
 * not: it is a THREAD record in the stream, not the ring's number, that says whose the records behind it are. The serial
 * in it is dense from 0 in the order of first calls and never used twice. A thread may get several THREAD records with
 * its serial (calls during its last clean-up take a ring again). NAME carries the name a thread had when it took its ring
 * and the one it had at its end; meanwhile the agent reads /proc/PID/task/TID/comm. `owner` not 0 with a `tid` that is no
 * task of the process any more: the thread died without clean-up, its in-flight stamp counts as 0, and the agent may give the
 * ring back by a compare-and-set of `owner` from the value it saw to 0, after setting `inflight` to 0.
 *
 * Order of writing. The producer of a ring (all stores by the owning thread):
 *
 *     1. read tail (acquire) when the copy of it says that fewer than TIDEMARK_CLAIM records are free
 *     2. inflight = TIDEMARK_BUSY              4. inflight = begin        6. write the records
 *     3. begin = stamp                         5. the real call           7. head = head + n (release)
 *                                                                         8. inflight = 0 (release)
 *
 * The reader: keys are `begin` for FREE, DELETE and REALLOC_FROM, begin + duration for everything else; the keys of one
 * ring never descend. First pass: the newest stamp in any ring (the key of its last published record, its inflight) is
 * the clock; TIDEMARK_MARGIN_NS are taken off it, since a store may become visible that much later than a stamp taken behind it.
 * Second pass, for each ring below `rings_used`: read `inflight` (acquire) FIRST, then `head` (acquire).
 *     inflight 0             what comes later has a key of at least the clock
 *     inflight TIDEMARK_BUSY a stamp is being taken: the watermark stays where it was in the round before
 *     otherwise              what comes has a key of at least `inflight`
 * Records from `tail` to `head` are readable (index & (ring_records - 1)); when copied out, tail = the new value (release).
 * head and tail count records since the file was made; they never wrap or start again, whoever owns the ring.
 * `rings_used` (acquire) is raised before a new ring's first record.
 *
 * Stamps of two cores may differ by some tens of nanoseconds. A block that is handed to another thread at once can so seem
 * released just before it was made, or made again just before it was released (seen: once in some million calls): a release
 * of an unknown address that is made within a microsecond belongs behind the making; a making of a live address that is
 * released within one belongs behind the release.
 *
 * Full ring. `wait`: the thread waits before step 2, at most wait_max_ns, not at all while the heartbeat (CLOCK_MONOTONIC ns,
 * Java's System.nanoTime()) is older than TIDEMARK_STALE_NS, and not again before the ring has had room. Otherwise the
 * event is counted in the ring's `dropped`, and a DROPPED record goes into the ring as soon as there is room, before the next
 * event (so a DROPPED may stand before its thread's THREAD, and a THREAD_END may be missing). The session's dropped events
 * are the sum of `dropped` over all rings and `dropped_without_ring`; what no DROPPED record has told (`dropped` -
 * `dropped_told`) was lost at the ring's end.
 *
 * Clock. stamps per second = (sync_stamp - start_stamp) / (sync_monotonic_raw_ns - start_monotonic_raw_ns), or
 * `stamps_per_second` (measured over 0.2 ms at the start) until the first sync, after about 0.1 s. Syncs follow at least each
 * second in which an event is recorded. With the clock monotonic_raw stamps are nanoseconds. The sync is read as a
 * sequence lock: `sync_sequence` (acquire), fields, `sync_sequence` again; odd or changed: read again.
 */
#ifndef TIDEMARK_RECORD_FORMAT_H
#define TIDEMARK_RECORD_FORMAT_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define TIDEMARK_MAGIC UINT64_C(0x4b52414d45444954) /* "TIDEMARK" */
#define TIDEMARK_FORMAT_VERSION 1u

#define TIDEMARK_BUSY UINT64_C(1)             /* in `inflight`: the begin stamp is being taken */
#define TIDEMARK_CLAIM 8u                     /* records that must be free before a call begins */
#define TIDEMARK_MARGIN_NS UINT64_C(20000)    /* see the reader's first pass */
#define TIDEMARK_STALE_NS UINT64_C(1000000000) /* a heartbeat older than this is a dead agent's */

#define TIDEMARK_DURATION_BITS 40
#define TIDEMARK_DURATION_MAX ((UINT64_C(1) << TIDEMARK_DURATION_BITS) - 1)
#define TIDEMARK_ALIGNMENT_SHIFT 40
#define TIDEMARK_FLAGS_SHIFT 48
#define TIDEMARK_OPERATION_SHIFT 56

#define TIDEMARK_UNREADABLE INT64_MIN /* bytes of a TRIM: not known */

#define TIDEMARK_FAILED 1u /* flag: returned NULL for a size over 0, or threw */

/* What a record says. Address 0 in an allocation without TIDEMARK_FAILED: it returned NULL for size 0, nothing was made. */
enum tidemark_operation {
    /*                             address        size                      */
    TIDEMARK_MALLOC = 1,        /* block          bytes asked for           */
    TIDEMARK_CALLOC = 2,        /* block          product (2^64-1: overflow) */
    TIDEMARK_ALIGNED = 3,       /* block          bytes; posix_memalign, aligned_alloc, memalign, valloc, pvalloc */
    TIDEMARK_NEW = 4,           /* block          bytes; every operator new. Before one that threw: a MALLOC of the exception */
    TIDEMARK_REALLOC_FROM = 5,  /* old or 0       0; always directly before its REALLOC, published with it */
    TIDEMARK_REALLOC = 6,       /* new            bytes; FAILED: the old block lives on. Address 0 for size 0: it was released */
    TIDEMARK_FREE = 7,          /* block          0; free(NULL) and delete of NULL are not recorded */
    TIDEMARK_DELETE = 8,        /* block          bytes where a sized delete says so, else 0 */
    TIDEMARK_TRIM = 9,          /* result 0 or 1  malloc_trim: resident bytes before less after, signed, or TIDEMARK_UNREADABLE */
    TIDEMARK_FRAME = 16,        /* enum tidemark_mark  0; begin = the hooked call's return, duration 0 */
    TIDEMARK_TICK = 17,         /* enum tidemark_mark  0; likewise */
    TIDEMARK_PHASE = 18,        /* name           0; index into `names`     */
    TIDEMARK_VALUE = 19,        /* name           bits of a double          */
    TIDEMARK_DROPPED = 24,      /* events         0; lost between begin and begin + duration */
    TIDEMARK_THREAD = 25,       /* serial         tid; whose the records behind it are */
    TIDEMARK_NAME = 26,         /* the thread's name in the 16 bytes of address and size, padded with zeros */
    TIDEMARK_THREAD_END = 27,   /* serial         0                         */
};

/* What made a mark; `mark_counts` has how often each fired. Once tidemark_frame() was called, swap calls are counted but
 * make no FRAME any more; tidemark_tick() likewise for TIDEMARK_TICKS=call:NAME. */
enum tidemark_mark {
    TIDEMARK_MARK_API_FRAME = 0,
    TIDEMARK_MARK_API_TICK = 1,
    TIDEMARK_MARK_CALL = 2, /* the library call of TIDEMARK_TICKS=call:NAME, on the main thread */
    TIDEMARK_MARK_SDL_GL_SWAP_WINDOW = 8,
    TIDEMARK_MARK_SDL_RENDER_PRESENT = 9,
    TIDEMARK_MARK_SDL_UPDATE_WINDOW_SURFACE = 10,
    TIDEMARK_MARK_GLX_SWAP_BUFFERS = 11,
    TIDEMARK_MARK_EGL_SWAP_BUFFERS = 12,
    TIDEMARK_MARK_VK_QUEUE_PRESENT = 13,
    TIDEMARK_MARKS = 64,
};

enum tidemark_clock { TIDEMARK_CLOCK_TSC = 1, TIDEMARK_CLOCK_MONOTONIC_RAW = 2, TIDEMARK_CLOCK_CNTVCT = 3 };
enum tidemark_on_full { TIDEMARK_ON_FULL_DROP = 0, TIDEMARK_ON_FULL_WAIT = 1 };
enum tidemark_state { TIDEMARK_STATE_RECORDING = 1, TIDEMARK_STATE_EXITED = 2 };

#define TIDEMARK_NAMES 256u
#define TIDEMARK_NAME_BYTES 64u
#define TIDEMARK_NAME_NONE UINT64_C(0xffffffff) /* index of a name for which the table had no room */

struct tidemark_record {
    uint64_t begin;
    uint64_t word; /* duration | log2 alignment << 40 | flags << 48 | operation << 56 */
    uint64_t address;
    uint64_t size;
};

struct tidemark_name {
    _Atomic uint32_t state; /* 0 free, 1 being written, 2 readable */
    char text[TIDEMARK_NAME_BYTES - 4]; /* cut to 59 bytes, then a zero; one text may stand under two indices */
};

struct tidemark_header {
    /* Written before the rename, then constant (but state and exit_code). */
    uint64_t magic;
    uint32_t version;
    uint32_t header_bytes;
    _Atomic uint32_t state; /* EXITED once exit() or _exit() ran: a death by signal leaves RECORDING */
    uint32_t exit_code;     /* valid when EXITED */
    uint32_t pid;
    uint32_t parent_pid;
    uint64_t process_start_ticks; /* field 22 of /proc/PID/stat: survives exec, tells recycled pids apart */
    uint32_t clock;
    uint32_t on_full;
    uint64_t wait_max_ns;
    uint32_t ring_count;
    uint32_t ring_records; /* a power of two, at least 64 */
    uint64_t rings_offset;
    uint64_t ring_stride;
    uint64_t stamps_per_second;
    uint64_t start_stamp;
    uint64_t start_monotonic_raw_ns;
    uint64_t start_monotonic_ns;
    uint64_t start_realtime_ns;
    uint32_t user_id;
    uint32_t page_bytes;

    /* Offset 128: the clock's newest sync, by whichever thread came by. */
    _Alignas(128) _Atomic uint64_t sync_sequence;
    _Atomic uint64_t sync_stamp;
    _Atomic uint64_t sync_monotonic_raw_ns;
    _Atomic uint64_t sync_monotonic_ns;

    /* Offset 256: counters of the process. */
    _Alignas(128) _Atomic uint64_t rings_used;
    _Atomic uint64_t threads;              /* serials given out */
    _Atomic uint64_t threads_without_ring; /* threads that once found no ring */
    _Atomic uint64_t dropped_without_ring; /* events of threads while they had none: they have no place in any stream */
    _Atomic uint64_t child_processes;      /* forks and images of children that inherited the recorder and stayed inert */
    _Atomic uint64_t names_lost;
    _Atomic uint64_t waited_ns; /* time the process has waited for room */

    /* Offset 384: written by the agent alone. */
    _Alignas(128) _Atomic uint64_t heartbeat_ns; /* CLOCK_MONOTONIC (System.nanoTime()); 0: no agent yet */
    _Atomic uint64_t agent_pid;

    /* Offset 512. */
    _Alignas(128) _Atomic uint64_t mark_counts[TIDEMARK_MARKS];

    char executable[512];       /* offset 1024: /proc/self/exe, terminated by a zero, cut */
    char allocator[512];        /* offset 1536: the library that answers malloc */
    char child_executable[512]; /* offset 2048: the first inert child, for the error of a session without events */

    _Alignas(4096) char settings[12288]; /* offset 4096: KEY=VALUE, each ended by a zero, an empty one at the end: all of
                                            TIDEMARK_* and what sets an allocator's policy (MALLOC_*, GLIBC_TUNABLES, ...) */
    struct tidemark_name names[TIDEMARK_NAMES]; /* offset 16384 */
};

struct tidemark_ring {
    _Atomic uint64_t owner; /* 0 free, else the serial of its thread plus 1 */
    _Atomic uint32_t tid;

    /* Offset 128: written by the owner. */
    _Alignas(128) _Atomic uint64_t head;
    _Atomic uint64_t inflight;
    _Atomic uint64_t dropped;      /* events lost because the ring was full, since the file was made */
    _Atomic uint64_t dropped_told; /* of these, told by DROPPED records */
    uint64_t dropped_since;        /* stamp of the first that was not told yet; private to the recorder */
    uint64_t gave_up;              /* a wait ended without room; private to the recorder */

    /* Offset 256: written by the agent. */
    _Alignas(128) _Atomic uint64_t tail;

    _Alignas(4096) struct tidemark_record records[];
};

#define TIDEMARK_AT(type, field, offset) \
    _Static_assert(offsetof(struct type, field) == (offset), #type "." #field " moved: Java reads it at " #offset)

_Static_assert(sizeof(struct tidemark_record) == 32, "a record has 32 bytes");
TIDEMARK_AT(tidemark_record, begin, 0);
TIDEMARK_AT(tidemark_record, word, 8);
TIDEMARK_AT(tidemark_record, address, 16);
TIDEMARK_AT(tidemark_record, size, 24);

_Static_assert(sizeof(struct tidemark_name) == 64, "a name has 64 bytes");
TIDEMARK_AT(tidemark_name, state, 0);
TIDEMARK_AT(tidemark_name, text, 4);

_Static_assert(sizeof(struct tidemark_ring) == 4096, "a ring's header is a page");
TIDEMARK_AT(tidemark_ring, owner, 0);
TIDEMARK_AT(tidemark_ring, tid, 8);
TIDEMARK_AT(tidemark_ring, head, 128);
TIDEMARK_AT(tidemark_ring, inflight, 136);
TIDEMARK_AT(tidemark_ring, dropped, 144);
TIDEMARK_AT(tidemark_ring, dropped_told, 152);
TIDEMARK_AT(tidemark_ring, tail, 256);
TIDEMARK_AT(tidemark_ring, records, 4096);

_Static_assert(sizeof(struct tidemark_header) == 32768, "the header has 32 KiB");
TIDEMARK_AT(tidemark_header, magic, 0);
TIDEMARK_AT(tidemark_header, version, 8);
TIDEMARK_AT(tidemark_header, header_bytes, 12);
TIDEMARK_AT(tidemark_header, state, 16);
TIDEMARK_AT(tidemark_header, exit_code, 20);
TIDEMARK_AT(tidemark_header, pid, 24);
TIDEMARK_AT(tidemark_header, parent_pid, 28);
TIDEMARK_AT(tidemark_header, process_start_ticks, 32);
TIDEMARK_AT(tidemark_header, clock, 40);
TIDEMARK_AT(tidemark_header, on_full, 44);
TIDEMARK_AT(tidemark_header, wait_max_ns, 48);
TIDEMARK_AT(tidemark_header, ring_count, 56);
TIDEMARK_AT(tidemark_header, ring_records, 60);
TIDEMARK_AT(tidemark_header, rings_offset, 64);
TIDEMARK_AT(tidemark_header, ring_stride, 72);
TIDEMARK_AT(tidemark_header, stamps_per_second, 80);
TIDEMARK_AT(tidemark_header, start_stamp, 88);
TIDEMARK_AT(tidemark_header, start_monotonic_raw_ns, 96);
TIDEMARK_AT(tidemark_header, start_monotonic_ns, 104);
TIDEMARK_AT(tidemark_header, start_realtime_ns, 112);
TIDEMARK_AT(tidemark_header, user_id, 120);
TIDEMARK_AT(tidemark_header, page_bytes, 124);
TIDEMARK_AT(tidemark_header, sync_sequence, 128);
TIDEMARK_AT(tidemark_header, sync_stamp, 136);
TIDEMARK_AT(tidemark_header, sync_monotonic_raw_ns, 144);
TIDEMARK_AT(tidemark_header, sync_monotonic_ns, 152);
TIDEMARK_AT(tidemark_header, rings_used, 256);
TIDEMARK_AT(tidemark_header, threads, 264);
TIDEMARK_AT(tidemark_header, threads_without_ring, 272);
TIDEMARK_AT(tidemark_header, dropped_without_ring, 280);
TIDEMARK_AT(tidemark_header, child_processes, 288);
TIDEMARK_AT(tidemark_header, names_lost, 296);
TIDEMARK_AT(tidemark_header, waited_ns, 304);
TIDEMARK_AT(tidemark_header, heartbeat_ns, 384);
TIDEMARK_AT(tidemark_header, agent_pid, 392);
TIDEMARK_AT(tidemark_header, mark_counts, 512);
TIDEMARK_AT(tidemark_header, executable, 1024);
TIDEMARK_AT(tidemark_header, allocator, 1536);
TIDEMARK_AT(tidemark_header, child_executable, 2048);
TIDEMARK_AT(tidemark_header, settings, 4096);
TIDEMARK_AT(tidemark_header, names, 16384);

#endif
