/*
 * The plan of a replay: what Java (PlanDescriptor) writes and the replayer reads. Everything is little endian and at a multiple
 * of 8 bytes. Times are nanoseconds since the plan's origin, which is the begin of the recording's first operation.
 *
 *     +-------------------+ 0
 *     | header            |  struct tidemark_plan: counts, offsets, what the recording adds up to
 *     +-------------------+ threads_offset
 *     | threads           |  one each; the first runs on the process's main thread, the others follow by their begin
 *     +-------------------+ operations_offset
 *     | operations        |  16 bytes each; a thread's lie together, in program order
 *     +-------------------+ marks_offset
 *     | marks             |  frame and tick marks in order; mark k ends span k and begins span k + 1
 *     +-------------------+ leftovers_offset
 *     | leftovers         |  slots (32 bits) of the blocks that were never released, by the thread that made them
 *     +-------------------+ file_bytes
 *
 * An operation: two 64-bit words.
 *
 *     63                              32 31           16 15       8 7        0
 *     +---------------------------------+---------------+----------+----------+
 *  0  | slot (or as the operation says) |     flags     |log2 align|   kind   |
 *     +---------------------------------+---------------+----------+----------+
 *  8  | size (or as the operation says)                                       |
 *     +-----------------------------------------------------------------------+
 *
 * Slots. A block has its address in a slot while it lives. A block released by the thread that made it shares its slot with
 * others before and after it; one released by another thread has a slot of its own, which is empty until the block is made, and
 * a PLAN_AWAIT stands before its release. So nothing is ordered between threads but such a release behind its allocation.
 *
 * Spans. Every operation belongs to the span (frame or tick) in which it was recorded, however late it is replayed: PLAN_SPAN
 * opens the next stretch, which is what one thread does in one span.
 */
#ifndef TIDEMARK_PLAN_FORMAT_H
#define TIDEMARK_PLAN_FORMAT_H

#include <stddef.h>
#include <stdint.h>

#define TIDEMARK_PLAN_MAGIC UINT64_C(0x4e414c504b4d4454) /* "TDMKPLAN" */
#define TIDEMARK_PLAN_VERSION 1u
#define TIDEMARK_NO_SLOT UINT32_C(0xffffffff)

enum tidemark_plan_kind {
    /*                       slot             size                                     */
    PLAN_MALLOC = 1,      /* of the block     bytes                                    */
    PLAN_CALLOC = 2,      /* of the block     bytes                                    */
    PLAN_ALIGNED = 3,     /* of the block     bytes                                    */
    PLAN_NEW = 4,         /* of the block     bytes; with an alignment the aligned one */
    PLAN_REALLOC = 5,     /* of the new block bytes; a PLAN_RESIZED always follows     */
    PLAN_RESIZED = 6,     /* of the old block its bytes; no slot: realloc of NULL      */
    PLAN_FREE = 7,        /* of the block     its bytes                                */
    PLAN_DELETE = 8,      /* of the block     its bytes; log2 align: of its aligned new */
    PLAN_TRIM = 9,        /* -                -                                        */
    PLAN_AWAIT = 16,      /* to be filled     -                                        */
    PLAN_WAIT = 17,       /* -                until this time                          */
    PLAN_SPAN = 18,       /* the span         until this time                          */
    PLAN_MARK = 19,       /* the mark         its time                                 */
};

enum tidemark_plan_flag {
    PLAN_NO_BLOCK = 1,     /* the recorded call made no block: what is returned is given back at once, untimed */
    PLAN_SAME_FRAME = 2,   /* the block (of RESIZED, FREE, DELETE: the released one) is released by its own thread in its frame */
    PLAN_BY_NEXT_FRAME = 4, /* likewise, by the end of the next frame */
    PLAN_NEW_FRAME = 8,    /* SPAN: another frame than that of the thread's operation before */
    PLAN_ODD_FRAME = 16,   /* SPAN: the frame's number is odd */
};

struct tidemark_plan {
    uint64_t magic;
    uint32_t version;
    uint32_t header_bytes;
    uint64_t file_bytes;
    uint32_t threads;
    uint32_t marks;
    uint64_t operations;
    uint64_t calls; /* operations that call the allocator; a REALLOC and its RESIZED are one */
    uint64_t stretches;
    uint64_t slots;
    uint64_t leftovers;
    uint64_t threads_offset;
    uint64_t operations_offset;
    uint64_t marks_offset;
    uint64_t leftovers_offset;
    uint64_t duration_ns; /* to the end of the last operation */
    uint64_t peak_live_bytes;
    uint64_t alloc_calls;
    uint64_t free_calls;
    uint64_t realloc_calls;
    uint64_t failed_calls;
    uint64_t alloc_bytes;
    uint64_t free_bytes;
    uint64_t reserved[11];
};

struct tidemark_plan_thread {
    uint32_t number; /* in the recording */
    uint32_t ends;   /* 1: ends with its last operation; 0: lives to the end of the replay */
    uint64_t first_operation;
    uint64_t operations;
    uint64_t first_call;
    uint64_t calls;
    uint64_t first_stretch;
    uint64_t stretches;
    uint64_t first_leftover;
    uint64_t leftovers;
    uint64_t begin_ns;
    uint64_t end_ns;
    uint64_t frame_arena_bytes;   /* the most that its SAME_FRAME blocks of one frame take */
    uint64_t double_buffer_bytes; /* likewise its BY_NEXT_FRAME blocks */
    uint64_t reserved[3];
};

struct tidemark_plan_operation {
    uint8_t kind;
    uint8_t log2_alignment; /* 0: none asked for */
    uint16_t flags;
    uint32_t slot;
    uint64_t size;
};

struct tidemark_plan_mark {
    uint64_t at_ns;
    uint32_t thread; /* number of the marking thread */
    uint32_t kind;   /* 0 frame, 1 tick */
};

#define TIDEMARK_PLAN_AT(type, field, offset) \
    _Static_assert(offsetof(struct type, field) == (offset), #type "." #field " moved: Java writes it at " #offset)

_Static_assert(sizeof(struct tidemark_plan) == 256, "the header has 256 bytes");
TIDEMARK_PLAN_AT(tidemark_plan, magic, 0);
TIDEMARK_PLAN_AT(tidemark_plan, version, 8);
TIDEMARK_PLAN_AT(tidemark_plan, header_bytes, 12);
TIDEMARK_PLAN_AT(tidemark_plan, file_bytes, 16);
TIDEMARK_PLAN_AT(tidemark_plan, threads, 24);
TIDEMARK_PLAN_AT(tidemark_plan, marks, 28);
TIDEMARK_PLAN_AT(tidemark_plan, operations, 32);
TIDEMARK_PLAN_AT(tidemark_plan, calls, 40);
TIDEMARK_PLAN_AT(tidemark_plan, stretches, 48);
TIDEMARK_PLAN_AT(tidemark_plan, slots, 56);
TIDEMARK_PLAN_AT(tidemark_plan, leftovers, 64);
TIDEMARK_PLAN_AT(tidemark_plan, threads_offset, 72);
TIDEMARK_PLAN_AT(tidemark_plan, operations_offset, 80);
TIDEMARK_PLAN_AT(tidemark_plan, marks_offset, 88);
TIDEMARK_PLAN_AT(tidemark_plan, leftovers_offset, 96);
TIDEMARK_PLAN_AT(tidemark_plan, duration_ns, 104);
TIDEMARK_PLAN_AT(tidemark_plan, peak_live_bytes, 112);
TIDEMARK_PLAN_AT(tidemark_plan, alloc_calls, 120);
TIDEMARK_PLAN_AT(tidemark_plan, free_calls, 128);
TIDEMARK_PLAN_AT(tidemark_plan, realloc_calls, 136);
TIDEMARK_PLAN_AT(tidemark_plan, failed_calls, 144);
TIDEMARK_PLAN_AT(tidemark_plan, alloc_bytes, 152);
TIDEMARK_PLAN_AT(tidemark_plan, free_bytes, 160);

_Static_assert(sizeof(struct tidemark_plan_thread) == 128, "a thread has 128 bytes");
TIDEMARK_PLAN_AT(tidemark_plan_thread, number, 0);
TIDEMARK_PLAN_AT(tidemark_plan_thread, ends, 4);
TIDEMARK_PLAN_AT(tidemark_plan_thread, first_operation, 8);
TIDEMARK_PLAN_AT(tidemark_plan_thread, operations, 16);
TIDEMARK_PLAN_AT(tidemark_plan_thread, first_call, 24);
TIDEMARK_PLAN_AT(tidemark_plan_thread, calls, 32);
TIDEMARK_PLAN_AT(tidemark_plan_thread, first_stretch, 40);
TIDEMARK_PLAN_AT(tidemark_plan_thread, stretches, 48);
TIDEMARK_PLAN_AT(tidemark_plan_thread, first_leftover, 56);
TIDEMARK_PLAN_AT(tidemark_plan_thread, leftovers, 64);
TIDEMARK_PLAN_AT(tidemark_plan_thread, begin_ns, 72);
TIDEMARK_PLAN_AT(tidemark_plan_thread, end_ns, 80);
TIDEMARK_PLAN_AT(tidemark_plan_thread, frame_arena_bytes, 88);
TIDEMARK_PLAN_AT(tidemark_plan_thread, double_buffer_bytes, 96);

_Static_assert(sizeof(struct tidemark_plan_operation) == 16, "an operation has 16 bytes");
TIDEMARK_PLAN_AT(tidemark_plan_operation, kind, 0);
TIDEMARK_PLAN_AT(tidemark_plan_operation, log2_alignment, 1);
TIDEMARK_PLAN_AT(tidemark_plan_operation, flags, 2);
TIDEMARK_PLAN_AT(tidemark_plan_operation, slot, 4);
TIDEMARK_PLAN_AT(tidemark_plan_operation, size, 8);

_Static_assert(sizeof(struct tidemark_plan_mark) == 16, "a mark has 16 bytes");
TIDEMARK_PLAN_AT(tidemark_plan_mark, at_ns, 0);
TIDEMARK_PLAN_AT(tidemark_plan_mark, thread, 8);
TIDEMARK_PLAN_AT(tidemark_plan_mark, kind, 12);

#endif
