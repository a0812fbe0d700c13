/*
 * Plays the agent for the recorder's own tests: runs a command under the recorder, drains every ring that appears, merges by the
 * contract of record_format.h and prints what it counted. It checks the contract as it goes: a key below a watermark
 * that was already passed is `late`, a key below its ring's last one is `descending`.
 *
 *     drain [-c] [-d] [-n] [-l MS] FOLDER CMD...     -c: keep no event; -d: print each; -n: attach to nothing until CMD has
 *                                                    ended (no heartbeat); -l MS: nap between rounds
 *     drain -g FILE                        one finished file
 *
 * The command's environment gets TIDEMARK_RING_DIR=FOLDER and LD_PRELOAD=$DRAIN_PRELOAD; TERM and INT are passed on to it, its exit
 * code is printed. One line a phase and session: KEY=VALUE, ...
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../record_format.h"

struct event {
    struct tidemark_record record;
    uint64_t serial;
};

struct stream { /* of one ring */
    struct event *events;
    size_t count, capacity, next;
    uint64_t serial, last_key, stuck_since, stuck_at;
};

struct session {
    char path[512];
    struct tidemark_header *header;
    uint64_t bytes;
    struct stream *streams;
    uint64_t watermark, late, descending;
    bool is_done;
};

static struct session sessions[4096];
static int session_count;
static bool prints_events, keeps_nothing;

static uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void *checked(void *memory)
{
    if (!memory) {
        perror("drain");
        exit(1);
    }
    return memory;
}

static unsigned operation_of(const struct tidemark_record *record)
{
    return (unsigned)(record->word >> TIDEMARK_OPERATION_SHIFT);
}

static uint64_t duration_of(const struct tidemark_record *record)
{
    return record->word & TIDEMARK_DURATION_MAX;
}

static bool is_release(unsigned operation)
{
    return operation == TIDEMARK_FREE || operation == TIDEMARK_DELETE || operation == TIDEMARK_REALLOC_FROM;
}

static uint64_t key_of(const struct tidemark_record *record)
{
    return is_release(operation_of(record)) ? record->begin : record->begin + duration_of(record);
}

static struct tidemark_ring *ring_of(struct session *session, uint64_t index)
{
    return (struct tidemark_ring *)((char *)session->header + session->header->rings_offset + index * session->header->ring_stride);
}

static void attach(const char *path)
{
    struct stat status;
    int fd = open(path, O_RDWR);
    if (fd < 0 || fstat(fd, &status) != 0 || session_count == 4096) {
        perror(path);
        exit(1);
    }
    struct session *session = &sessions[session_count++];
    snprintf(session->path, sizeof session->path, "%s", path);
    session->bytes = (uint64_t)status.st_size;
    session->header = mmap(NULL, session->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (session->header == MAP_FAILED || session->header->magic != TIDEMARK_MAGIC
        || session->header->version != TIDEMARK_FORMAT_VERSION) {
        fprintf(stderr, "drain: %s: no ring file\n", path);
        exit(1);
    }
    session->streams = checked(calloc(session->header->ring_count, sizeof(struct stream)));
}

static void find_files(const char *folder)
{
    DIR *directory = checked(opendir(folder));
    for (struct dirent *entry; (entry = readdir(directory));) {
        size_t length = strlen(entry->d_name);
        char path[1024];
        bool is_known = length < 5 || strcmp(entry->d_name + length - 5, ".ring") != 0;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        for (int i = 0; !is_known && i < session_count; i++) {
            is_known = strcmp(sessions[i].path, path) == 0;
        }
        if (!is_known) {
            attach(path);
        }
    }
    closedir(directory);
}

/* First pass: the newest stamp anywhere. */
static uint64_t newest_stamp(struct session *session, uint64_t used)
{
    uint64_t newest = session->watermark;
    for (uint64_t i = 0; i < used; i++) {
        struct tidemark_ring *ring = ring_of(session, i);
        uint64_t inflight = atomic_load_explicit(&ring->inflight, memory_order_acquire);
        uint64_t head = atomic_load_explicit(&ring->head, memory_order_acquire);
        uint64_t tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);
        uint64_t key = head > tail ? key_of(&ring->records[(head - 1) & (session->header->ring_records - 1)]) : 0;
        newest = key > newest ? key : newest;
        newest = inflight > newest ? inflight : newest;
    }
    uint64_t margin = session->header->stamps_per_second / 1000000 * (TIDEMARK_MARGIN_NS / 1000);
    return newest > session->watermark + margin ? newest - margin : session->watermark;
}

static bool is_task(const struct session *session, uint32_t tid)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%u/task/%u", session->header->pid, tid);
    return access(path, F_OK) == 0;
}

/* The least key that this ring may still bring. */
static uint64_t bound_of(struct session *session, struct stream *stream, struct tidemark_ring *ring, uint64_t clock)
{
    uint64_t inflight = atomic_load_explicit(&ring->inflight, memory_order_acquire);
    if (inflight == 0) {
        stream->stuck_since = 0;
        return clock;
    }
    if (stream->stuck_since == 0 || stream->stuck_at != inflight) {
        stream->stuck_since = now_ns();
        stream->stuck_at = inflight;
    } else if (now_ns() - stream->stuck_since > 200000000
               && !is_task(session, atomic_load_explicit(&ring->tid, memory_order_relaxed))) {
        return clock; /* died in the middle of a call */
    }
    return inflight == TIDEMARK_BUSY ? session->watermark : inflight < clock ? inflight : clock;
}

static void take(struct session *session, struct stream *stream, const struct tidemark_record *record)
{
    uint64_t key = key_of(record);
    session->late += key < session->watermark;
    session->descending += key < stream->last_key;
    stream->last_key = key;
    if (operation_of(record) == TIDEMARK_THREAD) {
        stream->serial = record->address;
    }
    if (keeps_nothing) {
        return;
    }
    if (stream->count == stream->capacity) {
        stream->capacity = stream->capacity ? stream->capacity * 2 : 1024;
        stream->events = checked(realloc(stream->events, stream->capacity * sizeof *stream->events));
    }
    stream->events[stream->count++] = (struct event){*record, stream->serial};
}

static uint64_t drain(struct session *session)
{
    uint64_t used = atomic_load_explicit(&session->header->rings_used, memory_order_acquire);
    uint64_t clock = newest_stamp(session, used), watermark = clock, taken = 0;
    used = atomic_load_explicit(&session->header->rings_used, memory_order_acquire);
    for (uint64_t i = 0; i < used; i++) {
        struct tidemark_ring *ring = ring_of(session, i);
        uint64_t bound = bound_of(session, &session->streams[i], ring, clock); /* before head */
        uint64_t head = atomic_load_explicit(&ring->head, memory_order_acquire);
        uint64_t tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);
        for (; tail < head; tail++, taken++) {
            take(session, &session->streams[i], &ring->records[tail & (session->header->ring_records - 1)]);
        }
        atomic_store_explicit(&ring->tail, tail, memory_order_release);
        watermark = bound < watermark ? bound : watermark;
    }
    session->watermark = watermark > session->watermark ? watermark : session->watermark;
    return taken;
}

/* Live blocks: open addressing, address to size. */
struct block {
    uint64_t address, size;
    int state; /* 0 never used, 1 live, 2 was live */
};
static struct block *blocks;
static uint64_t block_capacity, block_count;

static struct block *find_block(uint64_t address)
{
    for (uint64_t i = address * UINT64_C(0x9e3779b97f4a7c15);; i++) {
        struct block *block = &blocks[i & (block_capacity - 1)];
        if (block->state == 0 || block->address == address) {
            return block;
        }
    }
}

static void add_block(uint64_t address, uint64_t size)
{
    if ((block_count + 1) * 2 > block_capacity) {
        struct block *old = blocks;
        uint64_t capacity = block_capacity;
        block_capacity = capacity ? capacity * 4 : 65536;
        blocks = checked(calloc(block_capacity, sizeof *blocks));
        block_count = 0;
        for (uint64_t i = 0; i < capacity; i++) {
            if (old[i].state == 1) {
                *find_block(old[i].address) = old[i];
                block_count++;
            }
        }
        free(old);
    }
    struct block *block = find_block(address);
    block_count += block->state == 0;
    *block = (struct block){address, size, 1};
}

/*
 * Stamps of two cores may differ by some tens of nanoseconds, so that a block handed over at once can seem released just before
 * it was made, or made again just before it was released. Within a microsecond both are put right, and counted as inversions.
 */
enum { PENDING = 256 };
struct early {
    uint64_t address, key;
};
static struct early early_releases[PENDING], early_makes[PENDING];

static void remember(struct early *list, uint64_t address, uint64_t key)
{
    static unsigned next;
    list[next++ % PENDING] = (struct early){address, key};
}

static bool recall(struct early *list, uint64_t address, uint64_t key, uint64_t microsecond)
{
    for (int i = 0; i < PENDING; i++) {
        if (list[i].address == address && address != 0 && key - list[i].key <= microsecond) {
            list[i].address = 0;
            return true;
        }
    }
    return false;
}

struct totals {
    uint64_t inversions, microsecond;
    uint64_t events, allocs, alloc_bytes, frees, reallocs, failed, live_bytes, live_blocks, unknown_frees, missed_frees;
    uint64_t frames, ticks, values, trims, told_dropped, threads, ends;
};

static void make(struct totals *totals, const struct tidemark_record *record)
{
    struct block *block = block_capacity ? find_block(record->address) : NULL;
    if (block && block->state == 1) {
        totals->missed_frees++;
        totals->live_bytes -= block->size;
        totals->live_blocks--;
        remember(early_makes, record->address, key_of(record));
    }
    add_block(record->address, record->size);
    totals->live_bytes += record->size;
    totals->live_blocks++;
    totals->alloc_bytes += record->size;
    if (recall(early_releases, record->address, key_of(record), totals->microsecond)) {
        totals->unknown_frees--;
        totals->inversions++;
        find_block(record->address)->state = 2;
        totals->live_bytes -= record->size;
        totals->live_blocks--;
    }
}

static void release(struct totals *totals, uint64_t address, uint64_t key)
{
    struct block *block = block_capacity ? find_block(address) : NULL;
    if (!block || block->state != 1) {
        totals->unknown_frees++;
        remember(early_releases, address, key);
        return;
    }
    if (recall(early_makes, address, key, totals->microsecond)) {
        totals->missed_frees--;
        totals->inversions++;
        return;
    }
    block->state = 2;
    totals->live_bytes -= block->size;
    totals->live_blocks--;
}

static void print_totals(const struct totals *t)
{
    printf(" events=%lu allocs=%lu alloc_bytes=%lu frees=%lu reallocs=%lu failed=%lu live_bytes=%lu live_blocks=%lu unknown_frees=%lu"
           " missed_frees=%lu frames=%lu ticks=%lu values=%lu trims=%lu told_dropped=%lu threads=%lu ends=%lu inversions=%lu\n",
           t->events, t->allocs, t->alloc_bytes, t->frees, t->reallocs, t->failed, t->live_bytes, t->live_blocks, t->unknown_frees,
           t->missed_frees, t->frames, t->ticks, t->values, t->trims, t->told_dropped, t->threads, t->ends, t->inversions);
}

/* `failed_realloc` is the lookahead: the old block of a failed reallocation lives on. */
static void apply(struct session *session, struct totals *t, const struct event *event, bool failed_realloc)
{
    static const char *const names[] = {"?", "malloc", "calloc", "aligned", "new", "realloc_from", "realloc", "free", "delete", "trim",
                                        [16] = "frame", "tick", "phase", "value", [24] = "dropped", "thread", "name", "thread_end"};
    const struct tidemark_record *r = &event->record;
    unsigned operation = operation_of(r), flags = (unsigned)(r->word >> TIDEMARK_FLAGS_SHIFT) & 255;
    bool has_failed = (flags & TIDEMARK_FAILED) != 0;
    if (prints_events) {
        printf("event %lu %s size=%lu align=%u failed=%d address=%lx duration=%lu", event->serial, names[operation], r->size,
               (unsigned)(r->word >> TIDEMARK_ALIGNMENT_SHIFT) & 255, has_failed, r->address, duration_of(r));
        if (operation == TIDEMARK_NAME) {
            printf(" text=%.16s", (const char *)&r->address);
        }
        putchar('\n');
    }
    switch (operation) {
    case TIDEMARK_MALLOC: case TIDEMARK_CALLOC: case TIDEMARK_ALIGNED: case TIDEMARK_NEW:
        t->events++;
        t->failed += has_failed;
        t->allocs += !has_failed;
        if (r->address != 0) {
            make(t, r);
        }
        break;
    case TIDEMARK_REALLOC_FROM:
        t->events++;
        if (r->address != 0 && !failed_realloc) {
            release(t, r->address, key_of(r));
        }
        break;
    case TIDEMARK_REALLOC:
        t->failed += has_failed;
        t->reallocs += !has_failed;
        if (r->address != 0) {
            make(t, r);
        }
        break;
    case TIDEMARK_FREE: case TIDEMARK_DELETE:
        t->events++;
        t->frees++;
        release(t, r->address, key_of(r));
        break;
    case TIDEMARK_TRIM: t->trims++; break;
    case TIDEMARK_FRAME: t->frames++; break;
    case TIDEMARK_TICK: t->ticks++; break;
    case TIDEMARK_VALUE: t->values++; break;
    case TIDEMARK_DROPPED: t->told_dropped += r->address; break;
    case TIDEMARK_THREAD: t->threads++; break;
    case TIDEMARK_THREAD_END: t->ends++; break;
    case TIDEMARK_PHASE:
        printf("phase name=%s", r->address < TIDEMARK_NAMES ? session->header->names[r->address].text : "?");
        print_totals(t);
        break;
    default: break;
    }
}

/* Whether a's next event stands before b's: smaller key; at the same key a release first. */
static bool is_before(struct session *session, uint64_t a, uint64_t b)
{
    const struct tidemark_record *x = &session->streams[a].events[session->streams[a].next].record;
    const struct tidemark_record *y = &session->streams[b].events[session->streams[b].next].record;
    uint64_t k = key_of(x), l = key_of(y);
    return k != l ? k < l : is_release(operation_of(x)) && !is_release(operation_of(y));
}

static void sift(struct session *session, uint64_t *heap, uint64_t count, uint64_t at)
{
    for (;;) {
        uint64_t least = at, left = 2 * at + 1;
        for (uint64_t child = left; child <= left + 1 && child < count; child++) {
            least = is_before(session, heap[child], heap[least]) ? child : least;
        }
        if (least == at) {
            return;
        }
        uint64_t moved = heap[at];
        heap[at] = heap[least];
        heap[least] = moved;
        at = least;
    }
}

static void report(struct session *session)
{
    struct tidemark_header *header = session->header;
    struct totals totals = {.microsecond = header->stamps_per_second / 1000000};
    memset(early_releases, 0, sizeof early_releases);
    memset(early_makes, 0, sizeof early_makes);
   
    uint64_t *heap = checked(calloc(header->ring_count + 1, sizeof *heap)), count = 0, dropped = 0, told = 0;
    for (uint64_t i = 0; i < header->rings_used; i++) {
        dropped += ring_of(session, i)->dropped;
        told += ring_of(session, i)->dropped_told;
        if (session->streams[i].count > 0) {
            heap[count++] = i;
        }
    }
    for (uint64_t i = count; i-- > 0;) {
        sift(session, heap, count, i);
    }
    while (count > 0) {
        struct stream *stream = &session->streams[heap[0]];
        const struct event *event = &stream->events[stream->next++];
        bool has_next = stream->next < stream->count;
        bool failed = has_next && (stream->events[stream->next].record.word >> TIDEMARK_FLAGS_SHIFT & TIDEMARK_FAILED) != 0;
        apply(session, &totals, event, failed);
        if (!has_next) {
            heap[0] = heap[--count];
        }
        sift(session, heap, count, 0);
    }
    free(heap);
    printf("session pid=%u executable=%s allocator=%s clock=%u rings=%lu serials=%lu without_ring=%lu dropped=%lu told=%lu lost_without_ring=%lu"
           " late=%lu descending=%lu waited_ms=%lu children=%lu child=%s state=%u exit_code=%u",
           header->pid, header->executable, header->allocator, header->clock, header->rings_used, header->threads,
           header->threads_without_ring, dropped, told, header->dropped_without_ring, session->late, session->descending,
           header->waited_ns / 1000000, header->child_processes, header->child_executable, header->state, header->exit_code);
    for (int i = 0; i < TIDEMARK_MARKS; i++) {
        if (header->mark_counts[i] > 0) {
            printf(" mark%d=%lu", i, header->mark_counts[i]);
        }
    }
    print_totals(&totals);
    for (uint64_t i = 0; i < block_capacity; i++) {
        blocks[i].state = 0;
    }
    block_count = 0;
}

static pid_t command;

static void pass_on(int signal)
{
    if (command > 0) {
        kill(command, signal);
    }
}

static uint64_t round_of(const char *folder)
{
    uint64_t taken = 0;
    find_files(folder);
    for (int i = 0; i < session_count; i++) {
        if (!sessions[i].is_done) {
            bool was_dead = kill((pid_t)sessions[i].header->pid, 0) != 0 && errno == ESRCH; /* before the last look */
            atomic_store_explicit(&sessions[i].header->heartbeat_ns, now_ns(), memory_order_relaxed);
            taken += drain(&sessions[i]);
            sessions[i].is_done = was_dead;
        }
    }
    return taken;
}

static bool all_done(void)
{
    for (int i = 0; i < session_count; i++) {
        if (!sessions[i].is_done) {
            return false;
        }
    }
    return true;
}

int main(int argc, char **argv)
{
    bool attaches_late = false;
    struct timespec nap = {0, 1000000};
    int option, status = 0;
    while ((option = getopt(argc, argv, "+cdng:l:")) != -1) {
        switch (option) {
        case 'c': keeps_nothing = true; break;
        case 'd': prints_events = true; break;
        case 'n': attaches_late = true; break;
        case 'l': nap.tv_nsec = atol(optarg) * 1000000; break;
        case 'g':
            prints_events = true;
            attach(optarg);
            drain(&sessions[0]);
            report(&sessions[0]);
            return 0;
        default: return 2;
        }
    }
    const char *folder = argv[optind], *preload = getenv("DRAIN_PRELOAD");
    fflush(stdout);
    signal(SIGTERM, pass_on);
    signal(SIGINT, pass_on);
    pid_t child = fork();
    command = child;
    if (child == 0) {
        setenv("TIDEMARK_RING_DIR", folder, 1);
        if (preload) {
            setenv("LD_PRELOAD", preload, 1);
        }
        execvp(argv[optind + 1], argv + optind + 1);
        _exit(127);
    }
    bool has_ended = false;
    uint64_t ended = 0;
    while (!has_ended || (!all_done() && now_ns() - ended < 10000000000u)) {
        if (!has_ended && waitpid(child, &status, WNOHANG) == child) {
            has_ended = true;
            ended = now_ns();
        }
        if (((!attaches_late || has_ended) && round_of(folder) == 0) || attaches_late) {
            nanosleep(&nap, NULL);
        }
    }
    round_of(folder);
    for (int i = 0; i < session_count; i++) {
        report(&sessions[i]);
    }
    printf("command exit=%d signal=%d sessions=%d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1, WIFSIGNALED(status) ? WTERMSIG(status) : 0,
           session_count);
    return 0;
}
