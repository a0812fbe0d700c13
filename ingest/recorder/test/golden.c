/* golden FILE: writes the ring file that the Java reader's test reads, two rings of 64 records, every field with a number of its own. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../record_format.h"

static struct tidemark_record record(uint64_t begin, unsigned operation, unsigned flags, unsigned align, uint64_t duration,
                                     uint64_t address, uint64_t size)
{
    struct tidemark_record made = {begin, 0, address, size};
    made.word = duration | (uint64_t)align << TIDEMARK_ALIGNMENT_SHIFT | (uint64_t)flags << TIDEMARK_FLAGS_SHIFT
                | (uint64_t)operation << TIDEMARK_OPERATION_SHIFT;
    return made;
}

int main(int argc, char **argv)
{
    enum { STRIDE = 8192, RECORDS = 64 };
    size_t bytes = sizeof(struct tidemark_header) + 2 * STRIDE;
    unsigned char *file = calloc(1, bytes);
    struct tidemark_header *header = (struct tidemark_header *)file;
    struct tidemark_ring *first = (struct tidemark_ring *)(file + sizeof *header);
    struct tidemark_ring *second = (struct tidemark_ring *)(file + sizeof *header + STRIDE);
    double players = 12.5;
    uint64_t players_bits;
    if (argc < 2 || !file) {
        return 2;
    }
    memcpy(&players_bits, &players, sizeof players);
    header->magic = TIDEMARK_MAGIC;
    header->version = TIDEMARK_FORMAT_VERSION;
    header->header_bytes = sizeof *header;
    header->state = TIDEMARK_STATE_EXITED;
    header->exit_code = 3;
    header->pid = 4242;
    header->parent_pid = 4241;
    header->process_start_ticks = 987654321;
    header->clock = TIDEMARK_CLOCK_TSC;
    header->on_full = TIDEMARK_ON_FULL_WAIT;
    header->wait_max_ns = 250000000;
    header->ring_count = 2;
    header->ring_records = RECORDS;
    header->rings_offset = sizeof *header;
    header->ring_stride = STRIDE;
    header->stamps_per_second = 2500000000;
    header->start_stamp = 1000000;
    header->start_monotonic_raw_ns = 5000000000;
    header->start_monotonic_ns = 5000000100;
    header->start_realtime_ns = 1700000000000000000;
    header->user_id = 1000;
    header->page_bytes = 4096;
    header->sync_sequence = 2;
    header->sync_stamp = 1000000 + 2500000000;
    header->sync_monotonic_raw_ns = 6000000000;
    header->sync_monotonic_ns = 6000000100;
    header->rings_used = 2;
    header->threads = 3;
    header->threads_without_ring = 1;
    header->dropped_without_ring = 17;
    header->child_processes = 2;
    header->names_lost = 1;
    header->waited_ns = 12345;
    header->mark_counts[TIDEMARK_MARK_SDL_GL_SWAP_WINDOW] = 60;
    strcpy(header->executable, "/usr/games/golden");
    strcpy(header->allocator, "/lib/libc.so.6");
    strcpy(header->child_executable, "/bin/sh");
    memcpy(header->settings, "TIDEMARK_TITLE=golden\0TIDEMARK_LABELS=a=b\0", 43);
    header->names[0].state = 2;
    strcpy(header->names[0].text, "battle");
    header->names[5].state = 2;
    strcpy(header->names[5].text, "players");

    uint64_t name[2] = {0, 0};
    memcpy(name, "main-thread", 11);
    first->owner = 1;
    first->tid = 4242;
    first->inflight = 1009000;
    first->dropped = 5;
    first->dropped_told = 3;
    first->tail = first->head = 128; /* two rounds were read already */
#define PUT(ring, ...) (ring)->records[(ring)->head++ % RECORDS] = record(__VA_ARGS__)
    PUT(first, 1000010, TIDEMARK_THREAD, 0, 0, 0, 0, 4242);
    PUT(first, 1000010, TIDEMARK_NAME, 0, 0, 0, name[0], name[1]);
    PUT(first, 1000100, TIDEMARK_MALLOC, 0, 0, 50, 0x7f0000001000, 1009);
    PUT(first, 1000200, TIDEMARK_CALLOC, 0, 0, 60, 0x7f0000002000, 91);
    PUT(first, 1000300, TIDEMARK_ALIGNED, 0, 6, 70, 0x7f0000003000, 307);
    PUT(first, 1000400, TIDEMARK_NEW, 0, 0, 80, 0x7f0000004000, 401);
    PUT(first, 1000500, TIDEMARK_REALLOC_FROM, 0, 0, 90, 0x7f0000001000, 0);
    PUT(first, 1000500, TIDEMARK_REALLOC, 0, 0, 90, 0x7f0000005000, 2003);
    PUT(first, 1000600, TIDEMARK_REALLOC_FROM, 0, 0, 95, 0x7f0000005000, 0);
    PUT(first, 1000600, TIDEMARK_REALLOC, TIDEMARK_FAILED, 0, 95, 0, UINT64_MAX);
    PUT(first, 1000700, TIDEMARK_FREE, 0, 0, 30, 0x7f0000002000, 0);
    PUT(first, 1000800, TIDEMARK_FRAME, 0, 0, 0, TIDEMARK_MARK_SDL_GL_SWAP_WINDOW, 0);
    PUT(first, 1000900, TIDEMARK_PHASE, 0, 0, 0, 0, 0);
    PUT(first, 1001000, TIDEMARK_VALUE, 0, 0, 0, 5, players_bits);
    PUT(first, 1001100, TIDEMARK_TRIM, 0, 0, 1000, 1, 69632);
    PUT(first, 1001200, TIDEMARK_DROPPED, 0, 0, 900, 3, 0);
    PUT(first, 1003000, TIDEMARK_MALLOC, 0, 0, TIDEMARK_DURATION_MAX, 0x7f0000006000, 503); /* or longer */
    second->head = second->tail = 62; /* wraps */
    PUT(second, 1000020, TIDEMARK_THREAD, 0, 0, 0, 1, 4243);
    PUT(second, 1000750, TIDEMARK_DELETE, 0, 0, 20, 0x7f0000004000, 401);
    PUT(second, 1000760, TIDEMARK_TICK, 0, 0, 0, TIDEMARK_MARK_CALL, 0);
    PUT(second, 1000770, TIDEMARK_THREAD_END, 0, 0, 0, 1, 0);
    PUT(second, 1000780, TIDEMARK_THREAD, 0, 0, 0, 2, 4244);
    PUT(second, 1000790, TIDEMARK_FREE, 0, 0, 10, 0x7f0000003000, 0);

    FILE *out = fopen(argv[1], "wb");
    if (!out || fwrite(file, 1, bytes, out) != bytes || fclose(out) != 0) {
        perror(argv[1]);
        return 1;
    }
    return 0;
}
