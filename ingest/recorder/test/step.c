/*
 * Holds the order of writing to its contract at every single instruction: runs a program step by step (ptrace) and between any
 * two instructions reads its ring as an agent would. What the reader may conclude at one point (nothing that comes is older
 * than now, or than the stamp in flight) must hold for every record published later. It needs no luck, unlike stopped threads.
 *
 *     step FOLDER CMD...      prints: steps, points at which a call was in flight, records, broken conclusions
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../record_format.h"

static uint64_t stamp(const struct tidemark_header *header)
{
    struct timespec now;
#if defined(__x86_64__)
    if (header->clock == TIDEMARK_CLOCK_TSC) {
        return __builtin_ia32_rdtsc();
    }
#elif defined(__aarch64__)
    uint64_t count;
    __asm__ volatile("isb; mrs %0, cntvct_el0" : "=r"(count));
    if (header->clock == TIDEMARK_CLOCK_CNTVCT) {
        return count;
    }
#endif
    clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static struct tidemark_header *find_header(const char *folder)
{
    struct tidemark_header *header = NULL;
    DIR *directory = opendir(folder);
    for (struct dirent *entry; directory && !header && (entry = readdir(directory));) {
        size_t length = strlen(entry->d_name);
        if (length > 5 && strcmp(entry->d_name + length - 5, ".ring") == 0) {
            char path[1024];
            struct stat status;
            snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
            int fd = open(path, O_RDWR);
            if (fd < 0 || fstat(fd, &status) != 0) {
                perror(path);
                exit(1);
            }
            header = mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
            close(fd);
        }
    }
    if (directory) {
        closedir(directory);
    }
    return header;
}

static unsigned long steps, in_flight, records, broken;
static uint64_t watermark, seen;

static void look(struct tidemark_header *header)
{
    if (atomic_load_explicit(&header->rings_used, memory_order_acquire) == 0) {
        return;
    }
    struct tidemark_ring *ring = (struct tidemark_ring *)((char *)header + header->rings_offset);
    uint64_t now = stamp(header);
    uint64_t inflight = atomic_load_explicit(&ring->inflight, memory_order_acquire);
    uint64_t head = atomic_load_explicit(&ring->head, memory_order_acquire);
    for (; seen < head; seen++, records++) {
        const struct tidemark_record *record = &ring->records[seen & (header->ring_records - 1)];
        unsigned operation = (unsigned)(record->word >> TIDEMARK_OPERATION_SHIFT);
        bool is_release = operation == TIDEMARK_FREE || operation == TIDEMARK_DELETE || operation == TIDEMARK_REALLOC_FROM;
        uint64_t key = is_release ? record->begin : record->begin + (record->word & TIDEMARK_DURATION_MAX);
        broken += key < watermark || operation == 0;
    }
    atomic_store_explicit(&ring->tail, seen, memory_order_release);
    in_flight += inflight != 0;
    uint64_t bound = inflight == 0 ? now : inflight == TIDEMARK_BUSY ? watermark : inflight;
    watermark = bound > watermark ? bound : watermark;
}

int main(int argc, char **argv)
{
    struct tidemark_header *header = NULL;
    int status;
    if (argc < 3) {
        return 2;
    }
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        setenv("TIDEMARK_RING_DIR", argv[1], 1);
        setenv("LD_PRELOAD", getenv("DRAIN_PRELOAD"), 1);
        ptrace(PTRACE_TRACEME, 0, NULL, NULL);
        execvp(argv[2], argv + 2);
        _exit(127);
    }
    while (waitpid(child, &status, 0) == child && WIFSTOPPED(status)) {
        if (header) {
            steps++;
            look(header);
        } else {
            header = find_header(argv[1]);
        }
        int signal = WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);
        /* from system call to system call until there is a ring file, then by instructions */
        if (ptrace(header ? PTRACE_SINGLESTEP : PTRACE_SYSCALL, child, NULL, (void *)(intptr_t)signal) != 0) {
            perror("ptrace");
            return 1;
        }
    }
    if (steps == 0) {
        fprintf(stderr, "no step could be traced\n");
        return 1;
    }
    printf("steps=%lu in_flight=%lu records=%lu broken=%lu exit=%d\n", steps, in_flight, records, broken,
           WIFEXITED(status) ? WEXITSTATUS(status) : -1);
    return 0;
}
