/*
 * golden write FILE     the result file that the Java reader's test reads, every field with a number of its own
 * golden read FILE      prints the plan file that the Java writer's test wrote, field by field
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../plan_format.h"
#include "../result_format.h"

static int write_result(const char *path)
{
    const struct tidemark_result_thread threads[2] = {{101, 102, 103, 104, 105, 106, 107, 0}, {201, 202, 203, 204, 205, 206, 207, 0}};
    const struct tidemark_result_stretch stretches[3] = {{3001, 0, 11}, {3002, 1, 12}, {3003, 1, 13}};
    const int64_t lags[2] = {-5, 4002};
    const struct tidemark_result_call calls[3] = {{5001, 5101}, {5002, 0}, {TIDEMARK_LONGEST, 5103}};
    const struct tidemark_result_sample samples[1] = {{6001, 6002, 6003, 6004, 6005, 0}};
    struct tidemark_result result = {
        .magic = TIDEMARK_RESULT_MAGIC, .version = TIDEMARK_RESULT_VERSION, .header_bytes = sizeof result,
        .status = TIDEMARK_REFUSED, .threads = 2, .stretches = 3, .lags = 2, .calls = 3, .samples = 1,
        .started_realtime_ns = 7001, .duration_ns = 7002, .baseline_rss_bytes = 7003, .peak_rss_bytes = 7004,
        .retained_bytes = -7005, .retained_1s_bytes = 7006, .retained_5s_bytes = 7007, .retained_15s_bytes = 7008,
        .retained_after_calls_bytes = 7009, .return_half_ns = TIDEMARK_UNKNOWN, .longest_calls = 1,
        .allocator = "/lib/libgolden.so", .reason = "leaks",
    };
    result.threads_offset = sizeof result;
    result.stretches_offset = result.threads_offset + sizeof threads;
    result.lags_offset = result.stretches_offset + sizeof stretches;
    result.calls_offset = result.lags_offset + sizeof lags;
    result.samples_offset = result.calls_offset + sizeof calls;
    result.file_bytes = result.samples_offset + sizeof samples;
    FILE *file = fopen(path, "wb");
    if (!file) {
        return 1;
    }
    size_t wrote = fwrite(&result, sizeof result, 1, file) + fwrite(threads, sizeof threads, 1, file)
                   + fwrite(stretches, sizeof stretches, 1, file) + fwrite(lags, sizeof lags, 1, file)
                   + fwrite(calls, sizeof calls, 1, file) + fwrite(samples, sizeof samples, 1, file);
    return fclose(file) == 0 && wrote == 6 ? 0 : 1;
}

static void print_thread(const char *file, const struct tidemark_plan *plan, const struct tidemark_plan_thread *thread)
{
    const struct tidemark_plan_operation *operations = (const void *)(file + plan->operations_offset);
    const uint32_t *leftovers = (const void *)(file + plan->leftovers_offset);
    printf("thread %u: ends %u, call %" PRIu64 "+%" PRIu64 ", stretch %" PRIu64 "+%" PRIu64 ", from %" PRIu64 " to %" PRIu64
           ", arena %" PRIu64 ", double %" PRIu64 "\n",
           thread->number, thread->ends, thread->first_call, thread->calls, thread->first_stretch, thread->stretches,
           thread->begin_ns, thread->end_ns, thread->frame_arena_bytes, thread->double_buffer_bytes);
    for (uint64_t i = 0; i < thread->operations; i++) {
        const struct tidemark_plan_operation *at = &operations[thread->first_operation + i];
        printf("  kind %u, align %u, flags %u, slot %d, size %" PRIu64 "\n", at->kind, at->log2_alignment, at->flags,
               (int)at->slot, at->size);
    }
    for (uint64_t i = 0; i < thread->leftovers; i++) {
        printf("  left %u\n", leftovers[thread->first_leftover + i]);
    }
}

static int read_plan(const char *path)
{
    static _Alignas(8) char file[1 << 16];
    FILE *from = fopen(path, "rb");
    size_t bytes = from ? fread(file, 1, sizeof file, from) : 0;
    const struct tidemark_plan *plan = (const void *)file;
    if (bytes < sizeof *plan || plan->magic != TIDEMARK_PLAN_MAGIC || plan->file_bytes != bytes) {
        return 1;
    }
    printf("version %u, header %u, threads %u, marks %u, operations %" PRIu64 ", calls %" PRIu64 ", stretches %" PRIu64
           ", slots %" PRIu64 ", leftovers %" PRIu64 ", duration %" PRIu64 ", peak %" PRIu64 "\n",
           plan->version, plan->header_bytes, plan->threads, plan->marks, plan->operations, plan->calls, plan->stretches,
           plan->slots, plan->leftovers, plan->duration_ns, plan->peak_live_bytes);
    printf("alloc %" PRIu64 ", free %" PRIu64 ", realloc %" PRIu64 ", failed %" PRIu64 ", bytes +%" PRIu64 " -%" PRIu64 "\n",
           plan->alloc_calls, plan->free_calls, plan->realloc_calls, plan->failed_calls, plan->alloc_bytes, plan->free_bytes);
    const struct tidemark_plan_thread *threads = (const void *)(file + plan->threads_offset);
    for (uint32_t i = 0; i < plan->threads; i++) {
        print_thread(file, plan, &threads[i]);
    }
    const struct tidemark_plan_mark *marks = (const void *)(file + plan->marks_offset);
    for (uint32_t i = 0; i < plan->marks; i++) {
        printf("mark at %" PRIu64 " by %u, kind %u\n", marks[i].at_ns, marks[i].thread, marks[i].kind);
    }
    return fclose(from);
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        return 2;
    }
    return strcmp(argv[1], "write") == 0 ? write_result(argv[2]) : read_plan(argv[2]);
}
