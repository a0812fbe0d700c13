/*
 * Whether an arm may be timed at all: the whole recording is played with every block looked at.
 *
 *   alignment   what was asked for; else 16, or for less than 16 bytes the largest power of two that fits
 *   overlap     a map of the address space with a bit for each 8 bytes that live blocks cover
 *   contents    a pattern written when a block is made, read when it is released, by whichever thread, or resized
 *   zeroes      of a calloc, before the pattern is written
 *   leaks       played again and again with all memory touched: each time more stays resident
 *
 * Of blocks over 64 KiB the ends and 64 bytes of each page are looked at.
 */
#define _GNU_SOURCE
#include "replayer.h"

#include <string.h>
#include <sys/mman.h>

enum {
    GRANULE_SHIFT = 3,
    REGION_SHIFT = 26, /* a region of 64 MiB has a bitmap of 1 MiB */
    REGIONS = 1 << (47 - REGION_SHIFT),
    REGION_WORDS = 1 << (REGION_SHIFT - GRANULE_SHIFT - 6),
    WHOLE = 64 << 10,
    PAGE = 4096,
    LOOK = 64,
    GUARD_PERIOD = 16384,
    PASSES = 6, /* the first two may still grow */
    PASSES_GROWING = 4,
};

static const uint64_t PASS_BYTES = 16 << 20, MOST_PASS_OPERATIONS = 4000000, GUARD_BYTES = 1 << 30;

struct looked_at {
    uint64_t bytes;
    uint64_t seed;
};

static uint64_t **regions;
static struct looked_at *blocks; /* by slot */
static _Atomic uint64_t seeds;
static pthread_mutex_t mapping = PTHREAD_MUTEX_INITIALIZER;

static uint64_t *word_of(uint64_t granule)
{
    uint64_t region = granule >> (REGION_SHIFT - GRANULE_SHIFT);
    if (region >= REGIONS) {
        fatal("the allocator returned an address beyond 2^47, which is not checked");
    }
    if (!regions[region]) {
        void *bitmap = mmap(NULL, REGION_WORDS * 8, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (bitmap == MAP_FAILED) {
            fatal("no address space left for the check's map");
        }
        regions[region] = bitmap;
    }
    return &regions[region][(granule >> 6) & (REGION_WORDS - 1)];
}

/* Sets or clears a block's bits; false when one was so already. */
static bool mark(const void *block, uint64_t bytes, bool is_live)
{
    uint64_t first = (uintptr_t)block >> GRANULE_SHIFT, last = ((uintptr_t)block + (bytes ? bytes - 1 : 0)) >> GRANULE_SHIFT;
    bool is_right = true;
    pthread_mutex_lock(&mapping);
    for (uint64_t at = first; at <= last;) {
        unsigned from = at & 63, upto = last - at < 63 - from ? from + (unsigned)(last - at) : 63;
        uint64_t bits = (upto == 63 ? UINT64_MAX : (UINT64_C(1) << (upto + 1)) - 1) & (UINT64_MAX << from);
        uint64_t *word = word_of(at);
        is_right &= (is_live ? *word & bits : ~*word & bits) == 0;
        *word = is_live ? *word | bits : *word & ~bits;
        at += upto - from + 1;
    }
    pthread_mutex_unlock(&mapping);
    return is_right;
}

static unsigned char pattern(uint64_t seed, uint64_t offset)
{
    return (unsigned char)((seed + offset) * UINT64_C(0x9e3779b97f4a7c15) >> 56);
}

/* How many bytes from `offset` on are looked at, and where the next such place is. */
static uint64_t looked(uint64_t offset, uint64_t bytes, uint64_t *next)
{
    uint64_t length = bytes <= WHOLE ? bytes : offset + PAGE >= bytes ? bytes - offset : LOOK;
    *next = bytes <= WHOLE ? bytes : offset + PAGE >= bytes ? bytes : offset + PAGE;
    return length;
}

static void fill(void *block, uint64_t seed, uint64_t bytes)
{
    unsigned char *at = block;
    for (uint64_t offset = 0, next; offset < bytes; offset = next) {
        uint64_t end = offset + looked(offset, bytes, &next);
        for (uint64_t i = offset; i < end; i++) {
            at[i] = pattern(seed, i);
        }
    }
}

/* The first byte below `limit` that is not as `fill` left it, or `limit`. */
static uint64_t first_changed(const void *block, uint64_t seed, uint64_t bytes, uint64_t limit)
{
    const unsigned char *at = block;
    for (uint64_t offset = 0, next; offset < bytes && offset < limit; offset = next) {
        uint64_t end = offset + looked(offset, bytes, &next);
        for (uint64_t i = offset; i < end && i < limit; i++) {
            if (at[i] != pattern(seed, i)) {
                return i;
            }
        }
    }
    return limit;
}

static uint64_t first_not_zero(const void *block, uint64_t bytes)
{
    const unsigned char *at = block;
    for (uint64_t offset = 0, next; offset < bytes; offset = next) {
        uint64_t end = offset + looked(offset, bytes, &next);
        for (uint64_t i = offset; i < end; i++) {
            if (at[i]) {
                return i;
            }
        }
    }
    return bytes;
}

static size_t promised_alignment(const struct tidemark_plan_operation *operation)
{
    if (operation->log2_alignment) {
        return alignment_of(operation);
    }
    size_t alignment = 16;
    while (alignment > 1 && alignment > operation->size) {
        alignment /= 2;
    }
    return alignment;
}

static void look_at_new(struct player *player, const struct tidemark_plan_operation *operation, void *block)
{
    size_t alignment = promised_alignment(operation);
    if ((uintptr_t)block & (alignment - 1)) {
        refuse(player, operation, "misaligned: the address is no multiple of %zu", alignment);
        return;
    }
    if (!mark(block, operation->size, true)) {
        refuse(player, operation, "overlaps a live block");
        return;
    }
    uint64_t zeroes = operation->kind == PLAN_CALLOC ? first_not_zero(block, operation->size) : operation->size;
    if (zeroes < operation->size) {
        refuse(player, operation, "not zeroed: byte %llu is not 0", (unsigned long long)zeroes);
        return;
    }
    struct looked_at *look = &blocks[operation->slot];
    *look = (struct looked_at){operation->size, atomic_fetch_add(&seeds, 1)};
    fill(block, look->seed, look->bytes);
    atomic_store_explicit(&replay.slots[operation->slot], block, memory_order_release);
}

static void look_at_old(struct player *player, const struct tidemark_plan_operation *operation, const void *block)
{
    const struct looked_at *look = &blocks[operation->slot];
    uint64_t changed = first_changed(block, look->seed, look->bytes, look->bytes);
    if (changed < look->bytes) {
        refuse(player, operation, "contents lost while it lived: byte %llu of %llu has changed", (unsigned long long)changed,
               (unsigned long long)look->bytes);
    }
    mark(block, look->bytes, false);
}

static bool is_in_arena(const struct tidemark_plan_operation *operation)
{
    return (operation->flags & replay.arena_flag) != 0;
}

static void check_resize(struct player *player, const struct tidemark_plan_operation *operation)
{
    const struct tidemark_plan_operation *resized = operation + 1;
    const bool has_old = resized->slot != TIDEMARK_NO_SLOT;
    const bool is_kept = (operation->flags & PLAN_NO_BLOCK) && operation->size > 0;
    void *old = has_old ? atomic_load(&replay.slots[resized->slot]) : NULL;
    struct looked_at before = has_old ? blocks[resized->slot] : (struct looked_at){0, 0};
    if (has_old) {
        look_at_old(player, resized, old);
    }
    void *block = is_in_arena(operation) || is_in_arena(resized) ? arena_resize(player, operation, old)
                                                                  : replay.allocator.resize(old, operation->size);
    if (operation->flags & PLAN_NO_BLOCK) {
        if (is_kept && has_old) {
            void *still = block ? block : old;
            mark(still, before.bytes, true);
            atomic_store(&replay.slots[resized->slot], still);
        } else if (block) {
            give_back(block, operation);
        }
        return;
    }
    if (!block && operation->size == 0) {
        block = replay.allocator.make(1);
    }
    if (!block) {
        refuse(player, operation, "returned NULL, and had a block when it was recorded");
        return;
    }
    uint64_t limit = before.bytes < operation->size ? before.bytes : operation->size;
    uint64_t changed = first_changed(block, before.seed, before.bytes, limit);
    if (changed < limit) {
        refuse(player, operation, "contents lost on resize from %llu: byte %llu has changed", (unsigned long long)before.bytes,
               (unsigned long long)changed);
        return;
    }
    look_at_new(player, operation, block);
}

static void check_make(struct player *player, const struct tidemark_plan_operation *operation)
{
    void *block = is_in_arena(operation) ? arena_take(player, operation) : make_block(operation);
    if (operation->flags & PLAN_NO_BLOCK) {
        if (block) {
            give_back(block, operation);
        }
        return;
    }
    if (!block && operation->size == 0) {
        block = replay.allocator.make(1);
    }
    if (!block) {
        refuse(player, operation, "returned NULL, and had a block when it was recorded");
        return;
    }
    look_at_new(player, operation, block);
}

static void check_release(struct player *player, const struct tidemark_plan_operation *operation)
{
    void *block = atomic_load_explicit(&replay.slots[operation->slot], memory_order_acquire);
    look_at_old(player, operation, block);
    if (!is_in_arena(operation) || !arena_holds(player, block)) {
        release_block(block, operation);
    }
}

/* A leak must not take the machine with it. */
static void guard_memory(const struct player *player)
{
    int64_t now = resident_bytes(), allowed = (int64_t)(8 * replay.plan->peak_live_bytes + GUARD_BYTES);
    if (now != TIDEMARK_UNKNOWN && now - replay.result.baseline_rss_bytes > allowed) {
        refuse(player, NULL, "leaks: %lld MiB are resident for at most %llu MiB of live blocks",
               (long long)((now - replay.result.baseline_rss_bytes) >> 20),
               (unsigned long long)(replay.plan->peak_live_bytes >> 20));
    }
}

static void check_play(struct player *player)
{
    const struct tidemark_plan_operation *at = player->operations, *const end = at + player->plan->operations;
    for (; at < end && !atomic_load_explicit(&replay.stop, memory_order_relaxed); at++) {
        switch (at->kind) {
        case PLAN_AWAIT:
            wait_for(&replay.slots[at->slot]);
            continue;
        case PLAN_SPAN:
            if (at->flags & PLAN_NEW_FRAME) {
                arena_next_frame(player, at->flags);
            }
            continue;
        case PLAN_WAIT:
        case PLAN_MARK:
            continue;
        case PLAN_FREE:
        case PLAN_DELETE:
            check_release(player, at);
            break;
        case PLAN_REALLOC:
            check_resize(player, at);
            break;
        case PLAN_TRIM:
            replay.allocator.trim(0);
            break;
        default:
            check_make(player, at);
            break;
        }
        count_call(player, at);
        at += at->kind == PLAN_REALLOC;
        if ((at - player->operations) % GUARD_PERIOD == 0) {
            guard_memory(player);
        }
    }
    player->ended_ns = monotonic_ns();
    player->counts.operations = (uint64_t)(at - player->operations);
}

/* A pass of the whole recording, several times over where it is short. */
static int64_t grown_in_a_pass(uint64_t repeats)
{
    int64_t before = resident_bytes();
    for (uint64_t i = 0; i < repeats && !atomic_load(&replay.stop); i++) {
        run_all(touching_play(), NULL);
        guard_memory(&replay.players[0]);
    }
    return resident_bytes() - before;
}

/* An allocator that reuses memory stops growing; one that leaks grows in every pass. */
static void check_leaks(void)
{
    uint64_t bytes = replay.plan->alloc_bytes + 16 * replay.plan->alloc_calls + 1;
    uint64_t repeats = PASS_BYTES / bytes + 1, most = MOST_PASS_OPERATIONS / (replay.plan->operations + 1) + 1;
    repeats = repeats < most ? repeats : most;
    int64_t allowed = (int64_t)(bytes * repeats / 50), least = INT64_MAX;
    allowed = allowed < 128 << 10 ? 128 << 10 : allowed;
    for (int pass = 0; pass < PASSES && least > allowed && !atomic_load(&replay.stop); pass++) {
        int64_t grown = grown_in_a_pass(repeats);
        if (pass >= PASSES - PASSES_GROWING && grown < least) {
            least = grown;
        }
    }
    if (least > allowed && !atomic_load(&replay.stop)) {
        refuse(NULL, NULL, "leaks: every replay of the same calls leaves at least %lld KiB more resident (%llu KiB asked for)",
               (long long)(least >> 10), (unsigned long long)(bytes * repeats >> 10));
    }
}

void check_arm(void)
{
    regions = own_memory(REGIONS * sizeof *regions);
    blocks = own_memory(replay.plan->slots * sizeof *blocks);
    replay.result.baseline_rss_bytes = resident_bytes();
    run_all(check_play, NULL);
    if (!atomic_load(&replay.stop)) {
        check_leaks();
    }
}
