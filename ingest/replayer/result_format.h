/*
 * The result of one replay: what the replayer writes and Java (ResultDescriptor) reads. Everything is little endian and at a
 * multiple of 8 bytes. The file is written when all is over, so that no write of it lies in what is measured.
 *
 *     +-------------------+ 0
 *     | header            |  struct tidemark_result
 *     +-------------------+ threads_offset
 *     | threads           |  one each, as in the plan
 *     +-------------------+ stretches_offset
 *     | stretches         |  as in the plan: what one thread did in one span
 *     +-------------------+ lags_offset
 *     | lags              |  one signed word per mark: how late its thread came to it, ns; only when pace is kept
 *     +-------------------+ calls_offset
 *     | calls             |  8 bytes each, in a profiled round; a thread's lie together, in program order
 *     +-------------------+ samples_offset
 *     | memory samples    |
 *     +-------------------+ file_bytes
 */
#ifndef TIDEMARK_RESULT_FORMAT_H
#define TIDEMARK_RESULT_FORMAT_H

#include <stddef.h>
#include <stdint.h>

#define TIDEMARK_RESULT_MAGIC UINT64_C(0x5345524b4d4454ff) /* FF "TDMKRES" */
#define TIDEMARK_RESULT_VERSION 1u
#define TIDEMARK_UNKNOWN INT64_MIN /* of a signed figure: not measured */
#define TIDEMARK_LONGEST UINT32_C(0xffffffff) /* of a call: that or longer */

enum tidemark_result_status { TIDEMARK_DONE = 0, TIDEMARK_REFUSED = 1 };

struct tidemark_result {
    uint64_t magic;
    uint32_t version;
    uint32_t header_bytes;
    uint64_t file_bytes;
    uint32_t status;
    uint32_t threads;
    uint64_t stretches;
    uint64_t lags;
    uint64_t calls;
    uint64_t samples;
    uint64_t threads_offset;
    uint64_t stretches_offset;
    uint64_t lags_offset;
    uint64_t calls_offset;
    uint64_t samples_offset;
    uint64_t started_realtime_ns;
    uint64_t duration_ns;         /* first operation to the end of the last */
    int64_t baseline_rss_bytes;   /* the replayer's own: plan and results loaded and touched */
    int64_t peak_rss_bytes;       /* less the baseline, as all below; TIDEMARK_UNKNOWN when not measured */
    int64_t retained_bytes;
    int64_t retained_1s_bytes;
    int64_t retained_5s_bytes;
    int64_t retained_15s_bytes;
    int64_t retained_after_calls_bytes;
    int64_t return_half_ns;
    uint64_t longest_calls; /* calls whose duration or first write was too long to be told */
    uint64_t reserved[8];
    char allocator[512]; /* the library that answers malloc; ends in a zero */
    char reason[256];    /* why it was refused, one line; ends in a zero */
};

struct tidemark_result_thread { /* counted call by call, in a check and a profiled round; else 0 */
    uint64_t operations;        /* how many were done, in every round */
    uint64_t alloc_calls;
    uint64_t free_calls;
    uint64_t realloc_calls;
    uint64_t failed_calls;
    uint64_t alloc_bytes;
    uint64_t free_bytes;
    uint64_t reserved;
};

struct tidemark_result_stretch {
    uint64_t allocator_ns; /* of a plain round, first writes included: the bursts of operations between waits */
    uint32_t span;
    uint32_t involuntary_switches; /* of the thread, at the stretch's end, since the thread began */
};

struct tidemark_result_call {
    uint32_t duration_ns;
    uint32_t first_write_ns;
};

struct tidemark_result_sample {
    uint64_t at_ns; /* since the replay's start */
    int64_t rss_bytes; /* less the baseline */
    uint64_t minor_faults;
    uint64_t major_faults;
    uint64_t involuntary_switches;
    uint64_t reserved;
};

#define TIDEMARK_RESULT_AT(type, field, offset) \
    _Static_assert(offsetof(struct type, field) == (offset), #type "." #field " moved: Java reads it at " #offset)

_Static_assert(sizeof(struct tidemark_result) == 1024, "the header has 1024 bytes");
TIDEMARK_RESULT_AT(tidemark_result, magic, 0);
TIDEMARK_RESULT_AT(tidemark_result, version, 8);
TIDEMARK_RESULT_AT(tidemark_result, header_bytes, 12);
TIDEMARK_RESULT_AT(tidemark_result, file_bytes, 16);
TIDEMARK_RESULT_AT(tidemark_result, status, 24);
TIDEMARK_RESULT_AT(tidemark_result, threads, 28);
TIDEMARK_RESULT_AT(tidemark_result, stretches, 32);
TIDEMARK_RESULT_AT(tidemark_result, lags, 40);
TIDEMARK_RESULT_AT(tidemark_result, calls, 48);
TIDEMARK_RESULT_AT(tidemark_result, samples, 56);
TIDEMARK_RESULT_AT(tidemark_result, threads_offset, 64);
TIDEMARK_RESULT_AT(tidemark_result, stretches_offset, 72);
TIDEMARK_RESULT_AT(tidemark_result, lags_offset, 80);
TIDEMARK_RESULT_AT(tidemark_result, calls_offset, 88);
TIDEMARK_RESULT_AT(tidemark_result, samples_offset, 96);
TIDEMARK_RESULT_AT(tidemark_result, started_realtime_ns, 104);
TIDEMARK_RESULT_AT(tidemark_result, duration_ns, 112);
TIDEMARK_RESULT_AT(tidemark_result, baseline_rss_bytes, 120);
TIDEMARK_RESULT_AT(tidemark_result, peak_rss_bytes, 128);
TIDEMARK_RESULT_AT(tidemark_result, retained_bytes, 136);
TIDEMARK_RESULT_AT(tidemark_result, retained_1s_bytes, 144);
TIDEMARK_RESULT_AT(tidemark_result, retained_5s_bytes, 152);
TIDEMARK_RESULT_AT(tidemark_result, retained_15s_bytes, 160);
TIDEMARK_RESULT_AT(tidemark_result, retained_after_calls_bytes, 168);
TIDEMARK_RESULT_AT(tidemark_result, return_half_ns, 176);
TIDEMARK_RESULT_AT(tidemark_result, longest_calls, 184);
TIDEMARK_RESULT_AT(tidemark_result, allocator, 256);
TIDEMARK_RESULT_AT(tidemark_result, reason, 768);

_Static_assert(sizeof(struct tidemark_result_thread) == 64, "a thread has 64 bytes");
_Static_assert(sizeof(struct tidemark_result_stretch) == 16, "a stretch has 16 bytes");
TIDEMARK_RESULT_AT(tidemark_result_stretch, allocator_ns, 0);
TIDEMARK_RESULT_AT(tidemark_result_stretch, span, 8);
TIDEMARK_RESULT_AT(tidemark_result_stretch, involuntary_switches, 12);
_Static_assert(sizeof(struct tidemark_result_call) == 8, "a call has 8 bytes");
TIDEMARK_RESULT_AT(tidemark_result_call, duration_ns, 0);
TIDEMARK_RESULT_AT(tidemark_result_call, first_write_ns, 4);
_Static_assert(sizeof(struct tidemark_result_sample) == 48, "a sample has 48 bytes");
TIDEMARK_RESULT_AT(tidemark_result_sample, at_ns, 0);
TIDEMARK_RESULT_AT(tidemark_result_sample, rss_bytes, 8);
TIDEMARK_RESULT_AT(tidemark_result_sample, minor_faults, 16);
TIDEMARK_RESULT_AT(tidemark_result_sample, major_faults, 24);
TIDEMARK_RESULT_AT(tidemark_result_sample, involuntary_switches, 32);

#endif
