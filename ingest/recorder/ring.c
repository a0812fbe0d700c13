/*
 * A thread's slow moments: it takes a ring at its first call, waits or drops when the ring is full, leaves the ring at its end.
 *
 * A ring that was left is taken over at once, read or not: THREAD records in the stream say whose the records are, so that
 * 40,000 short threads need as many rings as live at once.
 */
#define _GNU_SOURCE
#include "file.h"
#include "recorder.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { CALLS_BETWEEN_LOOKS = 1024 }; /* of a thread without a ring, for one */

static pthread_key_t end_key;
static bool has_end_key;

static struct tidemark_ring *ring_at(uint64_t index)
{
    return (struct tidemark_ring *)(tidemark_process.rings + index * tidemark_process.header->ring_stride);
}

static uint64_t room(const struct tidemark_thread *self)
{
    return atomic_load_explicit(&self->ring->tail, memory_order_acquire) + tidemark_process.header->ring_records - self->head;
}

/* Records about the stream itself. They keep the order of a call: busy, stamp, in flight, head, idle. */
static uint64_t begin_notes(struct tidemark_thread *self)
{
    atomic_store_explicit(&self->ring->inflight, TIDEMARK_BUSY, memory_order_relaxed);
    atomic_signal_fence(memory_order_seq_cst);
    uint64_t now = tidemark_stamp();
    atomic_store_explicit(&self->ring->inflight, now, memory_order_release);
    return now;
}

static void end_notes(struct tidemark_thread *self)
{
    atomic_store_explicit(&self->ring->head, self->head, memory_order_release);
    atomic_store_explicit(&self->ring->inflight, 0, memory_order_release);
}

static void put_name(struct tidemark_thread *self, uint64_t now)
{
    char name[16] = "";
    uint64_t halves[2];
    prctl(PR_GET_NAME, name, 0, 0, 0);
    memcpy(halves, name, sizeof halves);
    tidemark_put(self, now, tidemark_word(TIDEMARK_NAME, 0, 0, 0), halves[0], halves[1]);
}

static void put_dropped(struct tidemark_thread *self, uint64_t now, uint64_t events)
{
    struct tidemark_ring *ring = self->ring;
    uint64_t since = ring->dropped_since;
    if (since == 0 || now - since > TIDEMARK_DURATION_MAX) {
        since = now - TIDEMARK_DURATION_MAX;
    }
    tidemark_put(self, since, tidemark_word(TIDEMARK_DROPPED, 0, 0, now - since), events, 0);
    ring->dropped_since = 0;
    atomic_fetch_add_explicit(&ring->dropped_told, events, memory_order_relaxed);
}

/* A ring nobody holds, among those that were used before. */
static bool take_used(struct tidemark_thread *self, struct tidemark_header *header)
{
    uint64_t used = atomic_load_explicit(&header->rings_used, memory_order_acquire);
    for (uint64_t i = 0; i < used; i++) {
        struct tidemark_ring *ring = ring_at(i);
        uint64_t nobody = 0;
        if (atomic_load_explicit(&ring->owner, memory_order_relaxed) == 0
            && atomic_compare_exchange_strong_explicit(&ring->owner, &nobody, self->serial + 1, memory_order_acq_rel,
                                                       memory_order_relaxed)) {
            self->ring = ring;
            return true;
        }
    }
    return false;
}

/* The next ring that was never used. One thread at a time reserves; the others look again meanwhile. */
static bool take_new(struct tidemark_thread *self, struct tidemark_header *header)
{
    uint32_t idle = 0;
    while (!atomic_compare_exchange_weak_explicit(&tidemark_process.growing, &idle, 1, memory_order_acq_rel,
                                                  memory_order_relaxed)) {
        idle = 0;
        if (take_used(self, header)) {
            return true;
        }
        syscall(SYS_sched_yield);
    }
    uint64_t index = atomic_load_explicit(&header->rings_used, memory_order_relaxed);
    bool is_taken = index < header->ring_count && tidemark_reserve_ring(header, (uint32_t)index);
    if (is_taken) {
        self->ring = ring_at(index);
        atomic_store_explicit(&self->ring->owner, self->serial + 1, memory_order_relaxed);
        atomic_store_explicit(&header->rings_used, index + 1, memory_order_release);
    }
    atomic_store_explicit(&tidemark_process.growing, 0, memory_order_release);
    return is_taken;
}

static bool take_ring(struct tidemark_thread *self, struct tidemark_header *header, uint64_t session)
{
    if (self->retry_in > 0 && self->serial_session == session) {
        self->retry_in--;
        return false;
    }
    if (self->serial_session != session) {
        self->serial_session = session;
        self->serial = atomic_fetch_add_explicit(&header->threads, 1, memory_order_relaxed);
        self->counted = false;
    }
    if (!take_used(self, header) && !take_new(self, header)) {
        self->retry_in = CALLS_BETWEEN_LOOKS;
        if (!self->counted) {
            self->counted = true;
            atomic_fetch_add_explicit(&header->threads_without_ring, 1, memory_order_relaxed);
        }
        return false;
    }
    self->retry_in = 0;
    self->head = atomic_load_explicit(&self->ring->head, memory_order_relaxed);
    self->mask = header->ring_records - 1;
    self->room_until = 0;
    self->attention_at = 0;
    self->announced = false;
    self->session = session;
    atomic_store_explicit(&self->ring->tid, (uint32_t)syscall(SYS_gettid), memory_order_relaxed);
    if (has_end_key && !self->ended) {
        pthread_setspecific(end_key, (void *)1);
    }
    return true;
}

/* Waits for the agent to read, as long as that has a point; true: there is room. Raw system calls: not ours to be cancelled in. */
static bool wait_for_room(struct tidemark_thread *self, struct tidemark_header *header)
{
    uint64_t began = tidemark_clock(CLOCK_MONOTONIC), now = began;
    struct timespec nap = {0, 20000};
    bool has_room = false;
    while (!has_room && now - began < header->wait_max_ns) {
        uint64_t heartbeat = atomic_load_explicit(&header->heartbeat_ns, memory_order_relaxed);
        if (heartbeat == 0 ? atomic_load_explicit(&tidemark_process.no_reader, memory_order_relaxed) != 0
                           : now > heartbeat && now - heartbeat > TIDEMARK_STALE_NS) {
            break;
        }
        syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &nap, NULL);
        nap.tv_nsec = nap.tv_nsec < 1000000 ? nap.tv_nsec * 2 : nap.tv_nsec;
        now = tidemark_clock(CLOCK_MONOTONIC);
        has_room = room(self) >= TIDEMARK_CLAIM;
    }
    atomic_fetch_add_explicit(&header->waited_ns, now - began, memory_order_relaxed);
    if (!has_room && atomic_load_explicit(&header->heartbeat_ns, memory_order_relaxed) == 0) {
        atomic_store_explicit(&tidemark_process.no_reader, 1, memory_order_relaxed);
    }
    return has_room;
}

static bool make_room(struct tidemark_thread *self, struct tidemark_header *header)
{
    struct tidemark_ring *ring = self->ring;
    bool has_room = room(self) >= TIDEMARK_CLAIM;
    if (!has_room && header->on_full == TIDEMARK_ON_FULL_WAIT && ring->gave_up == 0) {
        has_room = wait_for_room(self, header);
        ring->gave_up = !has_room;
    }
    if (!has_room) {
        if (ring->dropped_since == 0) {
            ring->dropped_since = tidemark_stamp();
        }
        atomic_fetch_add_explicit(&ring->dropped, 1, memory_order_relaxed);
        return false;
    }
    ring->gave_up = 0;
    self->room_until = self->head + room(self) - TIDEMARK_CLAIM;
    return true;
}

static void put_notes(struct tidemark_thread *self)
{
    uint64_t dropped = atomic_load_explicit(&self->ring->dropped, memory_order_relaxed)
                       - atomic_load_explicit(&self->ring->dropped_told, memory_order_relaxed);
    if (self->announced && dropped == 0) {
        return;
    }
    uint64_t now = begin_notes(self);
    if (dropped > 0) {
        put_dropped(self, now, dropped);
    }
    if (!self->announced) {
        uint64_t tid = atomic_load_explicit(&self->ring->tid, memory_order_relaxed);
        tidemark_put(self, now, tidemark_word(TIDEMARK_THREAD, 0, 0, 0), self->serial, tid);
        put_name(self, now);
        self->announced = true;
    }
    end_notes(self);
}

bool tidemark_prepare(struct tidemark_thread *self)
{
    uint64_t session = atomic_load_explicit(&tidemark_process.session, memory_order_acquire);
    if (session == SESSION_OFF) {
        return false;
    }
    int saved = errno;
    bool is_ready = session >= SESSION_FIRST || tidemark_start();
    if (is_ready) {
        session = atomic_load_explicit(&tidemark_process.session, memory_order_acquire);
        struct tidemark_header *header = tidemark_process.header;
        if (self->session != session && !take_ring(self, header, session)) {
            atomic_fetch_add_explicit(&header->dropped_without_ring, 1, memory_order_relaxed);
            is_ready = false;
        } else {
            is_ready = make_room(self, header);
        }
        if (is_ready) {
            put_notes(self);
        }
    }
    errno = saved;
    return is_ready;
}

static void leave_ring(struct tidemark_thread *self)
{
    struct tidemark_ring *ring = self->ring;
    if (self->announced && room(self) >= 2) {
        uint64_t now = begin_notes(self);
        put_name(self, now);
        tidemark_put(self, now, tidemark_word(TIDEMARK_THREAD_END, 0, 0, 0), self->serial, 0);
        end_notes(self);
    }
    self->session = SESSION_NONE;
    self->ring = NULL;
    self->head = 1;
    self->room_until = 0;
    atomic_store_explicit(&ring->owner, 0, memory_order_release);
}

void tidemark_attend(struct tidemark_thread *self)
{
    int saved = errno;
    tidemark_sync_clock(tidemark_process.header);
    self->attention_at = tidemark_stamp() + tidemark_process.header->stamps_per_second / 10;
    if (self->ended) {
        leave_ring(self);
    }
    errno = saved;
}

/*
 * The thread's own destructors allocate and release, some after ours: this one lets itself be called again until the last
 * round. What comes even later takes a ring for each single call.
 */
static void thread_ends(void *round)
{
    struct tidemark_thread *self = &tidemark_self;
    int saved = errno;
    self->busy = true;
    if ((uintptr_t)round < PTHREAD_DESTRUCTOR_ITERATIONS) {
        pthread_setspecific(end_key, (void *)((uintptr_t)round + 1));
    } else {
        self->ended = true;
        if (self->session >= SESSION_FIRST
            && self->session == atomic_load_explicit(&tidemark_process.session, memory_order_relaxed)) {
            leave_ring(self);
        }
    }
    self->busy = false;
    errno = saved;
}

void tidemark_rings_begin(void)
{
    if (!has_end_key) { /* a forked child has its parent's */
        has_end_key = pthread_key_create(&end_key, thread_ends) == 0;
    }
}
