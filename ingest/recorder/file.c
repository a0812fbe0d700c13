/*
 * The file that the agent reads. It is as long as all rings and sparse: pages come when a ring is first taken, and then all
 * at once, so that a full file system costs a thread its ring and never the program a SIGBUS. What is not taken yet is
 * mapped without access, so that a program's mlockall does not bring it in.
 *
 * No descriptor stays open: a program may close them all. Nothing is printed: what goes wrong leaves a small file whose name
 * says what, since a full file system still takes names.
 */
#define _GNU_SOURCE
#include "file.h"
#include "next.h"
#include "proc.h"
#include "recorder.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

enum { DEFAULT_RINGS = 1024, DEFAULT_RING_BYTES = 1 << 20, LEAST_RECORDS = 64 };

static char ring_path[TIDEMARK_PATH_BYTES];
static struct tidemark_header *mapped; /* of this process, or of the one that it was forked from */
static size_t mapped_bytes;

const char *tidemark_file_path(void)
{
    return ring_path;
}

static uint64_t number_setting(const char *name, uint64_t otherwise, uint64_t least, uint64_t most)
{
    const char *text = tidemark_setting(name);
    char *end = NULL;
    unsigned long long number = text ? strtoull(text, &end, 10) : 0;
    if (!text || end == text || *end != 0) {
        return otherwise;
    }
    return number < least ? least : number > most ? most : number;
}

/* TIDEMARK_WAIT_MAX in seconds, such as 0.25, up to an hour. By hand: strtod asks for a locale. */
static uint64_t wait_max_setting(void)
{
    const char *text = tidemark_setting("WAIT_MAX");
    uint64_t nanos = 0, unit = 1000000000;
    if (!text || *text < '0' || *text > '9') {
        return unit;
    }
    for (; *text >= '0' && *text <= '9' && nanos < 3600 * unit; text++) {
        nanos = nanos * 10 + (uint64_t)(*text - '0') * unit;
    }
    if (*text == '.') {
        for (text++; *text >= '0' && *text <= '9' && unit > 1; text++) {
            unit /= 10;
            nanos += (uint64_t)(*text - '0') * unit;
        }
    }
    return nanos < UINT64_C(3600000000000) ? nanos : UINT64_C(3600000000000);
}

/* What a session is called and what its allocator was told, as it stands in the environment. */
static void write_settings(struct tidemark_header *header)
{
    static const char *const prefixes[]
        = {"TIDEMARK_", "MALLOC_", "GLIBC_TUNABLES=", "MIMALLOC_", "RUSTY_ALLOC_", "TCMALLOC_", "LD_PRELOAD="};
    size_t used = 0;
    for (char **entry = environ; entry && *entry; entry++) {
        size_t length = strlen(*entry) + 1;
        for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
            if (strncmp(*entry, prefixes[i], strlen(prefixes[i])) == 0 && used + length < sizeof header->settings) {
                memcpy(header->settings + used, *entry, length);
                used += length;
                break;
            }
        }
    }
}

static void write_header(struct tidemark_header *header, uint64_t start_ticks)
{
    Dl_info library;
    void *(*next_malloc)(size_t) = NEXT(malloc);
    void *function;
    const char *on_full = tidemark_setting("ON_FULL");
    memcpy(&function, &next_malloc, sizeof function);
    header->magic = TIDEMARK_MAGIC;
    header->version = TIDEMARK_FORMAT_VERSION;
    header->header_bytes = sizeof *header;
    header->pid = (uint32_t)getpid();
    header->parent_pid = (uint32_t)getppid();
    header->process_start_ticks = start_ticks;
    header->on_full = on_full && strcmp(on_full, "wait") == 0 ? TIDEMARK_ON_FULL_WAIT : TIDEMARK_ON_FULL_DROP;
    header->wait_max_ns = wait_max_setting();
    header->user_id = (uint32_t)geteuid();
    header->page_bytes = (uint32_t)tidemark_page_bytes;
    tidemark_read_executable(header->executable, sizeof header->executable);
    if (dladdr(function, &library) && library.dli_fname) {
        strncpy(header->allocator, library.dli_fname, sizeof header->allocator - 1);
    }
    write_settings(header);
    tidemark_write_clock(header);
    atomic_store_explicit(&header->state, TIDEMARK_STATE_RECORDING, memory_order_release);
}

/* Where the parts lie, before anything is mapped. */
static struct tidemark_header plan(void)
{
    struct tidemark_header planned = {.ring_count = (uint32_t)number_setting("RINGS", DEFAULT_RINGS, 1, 65536)};
    uint64_t bytes = number_setting("RING_BYTES", DEFAULT_RING_BYTES, LEAST_RECORDS * sizeof(struct tidemark_record), 1 << 30);
    uint64_t page = tidemark_page_bytes;
    planned.ring_records = LEAST_RECORDS;
    while (planned.ring_records * 2 * sizeof(struct tidemark_record) <= bytes) {
        planned.ring_records *= 2;
    }
    planned.rings_offset = (sizeof planned + page - 1) & ~(page - 1);
    bytes = sizeof(struct tidemark_ring) + planned.ring_records * sizeof(struct tidemark_record);
    planned.ring_stride = (bytes + page - 1) & ~(page - 1);
    return planned;
}

/* Maps as many rings as the limits of this process let it; 0 or what failed. */
static int map_file(int fd, struct tidemark_header *planned)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
        if (limit.rlim_cur < planned->rings_offset + planned->ring_stride) {
            return EFBIG; /* going on would bring the program a SIGXFSZ */
        }
        uint64_t fit = (limit.rlim_cur - planned->rings_offset) / planned->ring_stride;
        planned->ring_count = fit < planned->ring_count ? (uint32_t)fit : planned->ring_count;
    }
    int error = posix_fallocate(fd, 0, (off_t)planned->rings_offset);
    if (error != 0) {
        return error;
    }
    for (; planned->ring_count > 0; planned->ring_count /= 2) {
        mapped_bytes = planned->rings_offset + planned->ring_count * planned->ring_stride;
        if (ftruncate(fd, (off_t)mapped_bytes) != 0) {
            return errno;
        }
        void *address = mmap(NULL, mapped_bytes, PROT_NONE, MAP_SHARED, fd, 0);
        if (address != MAP_FAILED) {
            mapped = address;
            madvise(mapped, mapped_bytes, MADV_DONTDUMP);
            return mprotect(mapped, planned->rings_offset, PROT_READ | PROT_WRITE) == 0 ? 0 : errno;
        }
    }
    return ENOMEM;
}

static int make_file(const char *temporary, uint64_t start_ticks)
{
    struct tidemark_header planned = plan();
    int fd = open(temporary, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0) {
        return errno;
    }
    int error = fchmod(fd, 0600) == 0 ? map_file(fd, &planned) : errno;
    close(fd);
    if (error == 0) {
        mapped->ring_count = planned.ring_count;
        mapped->ring_records = planned.ring_records;
        mapped->rings_offset = planned.rings_offset;
        mapped->ring_stride = planned.ring_stride;
        write_header(mapped, start_ticks);
        error = rename(temporary, ring_path) == 0 ? 0 : errno;
    }
    return error;
}

static void leave_error(const char *path, int error)
{
    char text[64];
    if (mknod(path, S_IFREG | 0600, 0) == 0) {
        int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
        int length = snprintf(text, sizeof text, "the ring file could not be made: error %d\n", error);
        if (fd >= 0 && write(fd, text, (size_t)length) < 0) {
            length = 0; /* no room: the name says it */
        }
        if (fd >= 0) {
            close(fd);
        }
    }
}

static const char *reason_of(int error)
{
    switch (error) {
    case ENOSPC: case EDQUOT: return "no-space";
    case EMFILE: case ENFILE: return "no-descriptor";
    case ENOMEM: return "no-address-space";
    case EFBIG: return "file-size-limit";
    case EACCES: case EPERM: case EROFS: return "no-permission";
    default: return "failed";
    }
}

struct tidemark_header *tidemark_create_file(const char *folder, uint64_t start_ticks)
{
    char temporary[TIDEMARK_PATH_BYTES];
    int pid = (int)getpid();
    unsigned long long began = tidemark_clock(CLOCK_MONOTONIC);
    if (mapped) { /* forked: the parent's */
        munmap(mapped, mapped_bytes);
        mapped = NULL;
    }
    if (mkdir(folder, 01733) == 0 && chmod(folder, 01733) != 0) {
        return NULL;
    }
    int length = snprintf(temporary, sizeof temporary, "%s/.%d-%016llx.tmp", folder, pid, began);
    if (length >= (int)sizeof temporary - 32) {
        return NULL; /* no room for the names: nothing can be said in that folder either */
    }
    snprintf(ring_path, sizeof ring_path, "%s/%d-%016llx.ring", folder, pid, began);
    int error = make_file(temporary, start_ticks);
    if (error != 0) {
        unlink(temporary);
        snprintf(ring_path, sizeof ring_path, "%s/%d-%016llx.%s.error", folder, pid, began, reason_of(error));
        leave_error(ring_path, error);
        if (mapped) {
            munmap(mapped, mapped_bytes);
            mapped = NULL;
        }
    }
    return mapped;
}

/* Kernels before 5.14 cannot populate: reserve by the file's name, then touch. */
static bool reserve_by_name(unsigned char *ring, uint64_t offset, uint64_t bytes)
{
    int fd = open(ring_path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    bool is_reserved = fd >= 0 && posix_fallocate(fd, (off_t)offset, (off_t)bytes) == 0;
    if (fd >= 0) {
        close(fd);
    }
    for (uint64_t at = 0; is_reserved && at < bytes; at += tidemark_page_bytes) {
        *(volatile unsigned char *)(ring + at) = 0;
    }
    return is_reserved;
}

bool tidemark_reserve_ring(struct tidemark_header *header, uint32_t index)
{
    uint64_t offset = header->rings_offset + index * header->ring_stride, bytes = header->ring_stride;
    unsigned char *ring = (unsigned char *)header + offset;
    if (mprotect(ring, bytes, PROT_READ | PROT_WRITE) != 0) {
        return false;
    }
    int populated;
    for (int tries = 0; (populated = madvise(ring, bytes, MADV_POPULATE_WRITE)) != 0 && errno == EINTR && tries < 3; tries++) {
    }
    if (populated == 0 || (errno == EINVAL && reserve_by_name(ring, offset, bytes))) {
        return true;
    }
    madvise(ring, bytes, MADV_REMOVE); /* what did fit */
    mprotect(ring, bytes, PROT_NONE);
    return false;
}

static void count_child(struct tidemark_header *header)
{
    if (atomic_fetch_add_explicit(&header->child_processes, 1, memory_order_relaxed) == 0) {
        tidemark_read_executable(header->child_executable, sizeof header->child_executable);
    }
}

void tidemark_note_child(const char *owner_file)
{
    struct stat status;
    if (mapped) { /* forked: the file is still mapped */
        count_child(mapped);
        return;
    }
    int fd = open(owner_file, O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) {
        return;
    }
    if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size >= (off_t)sizeof(struct tidemark_header)) {
        struct tidemark_header *header = mmap(NULL, sizeof *header, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        if (header != MAP_FAILED) {
            if (header->magic == TIDEMARK_MAGIC && header->header_bytes == sizeof *header) {
                count_child(header);
            }
            munmap(header, sizeof *header);
        }
    }
    close(fd);
}
