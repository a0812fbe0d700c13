/*
 * The replay itself. A plain round stamps the bursts of operations between two waits, a profiled one each call; waits, marks and
 * first writes of a profiled round are outside of every duration. Nothing else is done between two calls but to fetch the
 * operation and to keep or find the block's address in its slot.
 *
 * A call that fails here and did not when it was recorded ends the replay: the arm is refused.
 */
#define _GNU_SOURCE
#include "replayer.h"

#include <sys/resource.h>

#define ALWAYS_INLINE inline __attribute__((always_inline))

enum { PAGE = 4096, QUARTER_SHIFT = 2 };

static ALWAYS_INLINE void begin_burst(struct player *player)
{
    player->burst = stamp();
}

static ALWAYS_INLINE void end_burst(struct player *player)
{
    player->stretch->allocator_ns += stamp() - player->burst;
}

static ALWAYS_INLINE uint32_t quarter(uint64_t stamps)
{
    uint64_t quarters = stamps >> QUARTER_SHIFT;
    return quarters < TIDEMARK_LONGEST ? (uint32_t)quarters : TIDEMARK_LONGEST;
}

/* Writes a byte into every page from `from` on, and into the last byte. */
static ALWAYS_INLINE void write_first(void *block, uint64_t from, uint64_t bytes, const enum touch touch)
{
    volatile char *at = block;
    const uint64_t mask = replay.touch_mask;
    if (touch == TOUCH_NONE || from >= bytes) {
        return;
    }
    at[from & mask] = 1;
    if (touch == TOUCH_ALL) {
        for (uint64_t next = from + PAGE - ((uintptr_t)(at + from) & (PAGE - 1)); next < bytes; next += PAGE) {
            at[next & mask] = 1;
        }
        at[(bytes - 1) & mask] = 1;
    }
}

static void note_switches(struct player *player)
{
    struct rusage usage;
    getrusage(RUSAGE_THREAD, &usage);
    player->stretch->involuntary_switches = (uint32_t)usage.ru_nivcsw;
}

/* Waits, marks and the next stretch. */
static __attribute__((noinline)) void between(struct player *player, const struct tidemark_plan_operation *operation)
{
    const bool is_paced = replay.options.is_paced;
    switch (operation->kind) {
    case PLAN_SPAN:
        if (player->stretch >= replay.stretches + player->plan->first_stretch) {
            note_switches(player);
        }
        player->stretch++;
        player->stretch->span = operation->slot;
        if (operation->flags & PLAN_NEW_FRAME) {
            arena_next_frame(player, operation->flags);
        }
        break;
    case PLAN_MARK:
        if (is_paced) {
            wait_until(operation->size);
            replay.lags[operation->slot] = (int64_t)(monotonic_ns() - replay.start_ns - operation->size);
        }
        return;
    default:
        break;
    }
    if (is_paced) {
        wait_until(operation->size);
    }
}

/* A block where none was recorded, or none where one was. False when the replay can't go on. */
static __attribute__((noinline)) bool is_usual(struct player *player, const struct tidemark_plan_operation *operation, void **block)
{
    if (operation->flags & PLAN_NO_BLOCK) {
        bool is_kept = operation->kind == PLAN_REALLOC && operation->size > 0;
        if (*block && is_kept && operation[1].slot != TIDEMARK_NO_SLOT) {
            atomic_store_explicit(&replay.slots[operation[1].slot], *block, memory_order_release);
        } else if (*block) {
            give_back(*block, operation);
        }
        return true;
    }
    if (operation->size == 0) {
        *block = replay.allocator.make(1);
    }
    if (!*block) {
        refuse(player, operation, "returned NULL, and had a block when it was recorded");
    }
    return *block;
}

static ALWAYS_INLINE void count(struct player *player, const struct tidemark_plan_operation *operation)
{
    struct tidemark_result_thread *counts = &player->counts;
    const bool is_made = !(operation->flags & PLAN_NO_BLOCK);
    uint64_t old_bytes = operation->kind == PLAN_REALLOC && operation[1].slot != TIDEMARK_NO_SLOT ? operation[1].size : 0;
    switch (operation->kind) {
    case PLAN_FREE:
    case PLAN_DELETE:
        counts->free_calls++;
        counts->free_bytes += operation->size;
        return;
    case PLAN_TRIM:
        return;
    case PLAN_REALLOC:
        if (operation[1].slot != TIDEMARK_NO_SLOT && is_made) {
            counts->realloc_calls++;
            counts->free_bytes += old_bytes;
            counts->alloc_bytes += operation->size;
            return;
        }
        if (operation[1].slot != TIDEMARK_NO_SLOT && operation->size == 0) {
            counts->free_calls++;
            counts->free_bytes += old_bytes;
            return;
        }
        break;
    default:
        break;
    }
    counts->alloc_calls += is_made;
    counts->alloc_bytes += is_made ? operation->size : 0;
    counts->failed_calls += !is_made && operation->size > 0;
}

void count_call(struct player *player, const struct tidemark_plan_operation *operation)
{
    count(player, operation);
}

/* TIMED stamps a call in a profiled round. */
#define TIMED(call)                                                                                                                \
    do {                                                                                                                           \
        uint64_t begin = is_profiled ? stamp() : 0;                                                                                \
        call;                                                                                                                      \
        spent = is_profiled ? stamp() - begin : 0;                                                                                 \
    } while (0)

#define IN_ARENA(operation) (has_arena && ((operation)->flags & replay.arena_flag))

static ALWAYS_INLINE void play(struct player *player, const enum touch touch, const bool is_profiled, const bool has_arena)
{
    static const char nothrow = 0;
    const struct allocator *const allocator = &replay.allocator;
    _Atomic(void *) *const slots = replay.slots;
    const struct tidemark_plan_operation *at = player->operations;
    const struct tidemark_plan_operation *const end = at + player->plan->operations;
    const struct tidemark_plan_operation *opened = at;
    const bool is_paced = replay.options.is_paced;

    for (; at < end; at++) {
        const struct tidemark_plan_operation *operation = at;
        void *block = NULL;
        uint64_t spent = 0, kept = 0;
        switch (operation->kind) {
        case PLAN_MALLOC:
            TIMED(block = IN_ARENA(operation) ? arena_take(player, operation) : allocator->make(operation->size));
            break;
        case PLAN_CALLOC:
            TIMED(block = IN_ARENA(operation) ? arena_take(player, operation) : allocator->zeroed(1, operation->size));
            break;
        case PLAN_ALIGNED:
            TIMED(block = IN_ARENA(operation) ? arena_take(player, operation) : make_block(operation));
            break;
        case PLAN_NEW:
            if (IN_ARENA(operation)) {
                TIMED(block = arena_take(player, operation));
            } else if (unlikely(operation->log2_alignment)) {
                TIMED(block = allocator->new_aligned(operation->size, alignment_of(operation), &nothrow));
            } else {
                TIMED(block = allocator->new(operation->size, &nothrow));
            }
            break;
        case PLAN_REALLOC: {
            const struct tidemark_plan_operation *resized = ++at;
            void *old = resized->slot == TIDEMARK_NO_SLOT ? NULL : atomic_load_explicit(&slots[resized->slot], memory_order_acquire);
            kept = resized->slot == TIDEMARK_NO_SLOT ? 0 : resized->size;
            if (IN_ARENA(operation) || IN_ARENA(resized)) {
                TIMED(block = arena_resize(player, operation, old));
            } else {
                TIMED(block = allocator->resize(old, operation->size));
            }
            break;
        }
        case PLAN_FREE:
        case PLAN_DELETE:
            block = atomic_load_explicit(&slots[operation->slot], memory_order_acquire);
            if (IN_ARENA(operation) && arena_holds(player, block)) {
                spent = 0;
            } else if (likely(operation->kind == PLAN_FREE)) {
                TIMED(allocator->release(block));
            } else if (operation->log2_alignment) {
                TIMED(allocator->delete_aligned(block, alignment_of(operation)));
            } else {
                TIMED(allocator->delete(block));
            }
            if (is_profiled) {
                (player->call++)->duration_ns = quarter(spent);
                count(player, operation);
            }
            continue;
        case PLAN_TRIM:
            TIMED(allocator->trim(0));
            if (is_profiled) {
                (player->call++)->duration_ns = quarter(spent);
            }
            continue;
        case PLAN_AWAIT:
            if (likely(atomic_load_explicit(&slots[operation->slot], memory_order_acquire) != NULL)) {
                continue;
            }
            break;
        default:
            if (!is_paced && operation->kind == PLAN_WAIT) {
                continue;
            }
            break;
        }
        if (unlikely(operation->kind >= PLAN_AWAIT)) {
            if (!is_profiled && at != opened) {
                end_burst(player);
            }
            if (operation->kind == PLAN_AWAIT) {
                wait_for(&slots[operation->slot]);
            } else {
                between(player, operation);
            }
            if (unlikely(atomic_load_explicit(&replay.stop, memory_order_relaxed))) {
                break;
            }
            opened = at + 1;
            begin_burst(player);
            continue;
        }
        if (unlikely(!block || (operation->flags & PLAN_NO_BLOCK))) {
            if (!is_profiled) {
                end_burst(player);
            }
            bool is_going_on = is_usual(player, operation, &block);
            if (is_profiled) {
                (player->call++)->duration_ns = quarter(spent);
                count(player, operation);
            }
            if (!is_going_on) {
                break;
            }
            begin_burst(player);
            if (operation->flags & PLAN_NO_BLOCK) {
                continue;
            }
        } else if (is_profiled) {
            (player->call++)->duration_ns = quarter(spent);
            count(player, operation);
        }
        atomic_store_explicit(&slots[operation->slot], block, memory_order_release);
        if (touch != TOUCH_NONE) {
            uint64_t begin = is_profiled ? stamp() : 0;
            write_first(block, kept, operation->size, touch);
            if (is_profiled) {
                player->call[-1].first_write_ns = quarter(stamp() - begin);
            }
        }
    }
    if (!is_profiled && at != opened) {
        end_burst(player);
    }
    player->ended_ns = monotonic_ns();
    player->counts.operations = (uint64_t)(at - player->operations);
    note_switches(player);
}

#define PLAY(touch, is_profiled, has_arena)                                                                                        \
    static void play_##touch##_##is_profiled##_##has_arena(struct player *player)                                                  \
    {                                                                                                                              \
        play(player, touch, is_profiled, has_arena);                                                                               \
    }
#define PLAYS(touch) PLAY(touch, 0, 0) PLAY(touch, 0, 1) PLAY(touch, 1, 0) PLAY(touch, 1, 1)
PLAYS(TOUCH_NONE)
PLAYS(TOUCH_FIRST)
PLAYS(TOUCH_ALL)
#define PLAYS_OF(touch)                                                                                                            \
    {                                                                                                                              \
        {play_##touch##_0_0, play_##touch##_0_1}, {play_##touch##_1_0, play_##touch##_1_1}                                         \
    }

play_function *chosen_play(void)
{
    static play_function *const plays[3][2][2] = {PLAYS_OF(TOUCH_NONE), PLAYS_OF(TOUCH_FIRST), PLAYS_OF(TOUCH_ALL)};
    return plays[replay.options.touch][replay.options.mode == MODE_PROFILED][replay.arena_flag != 0];
}

play_function *touching_play(void)
{
    return replay.arena_flag ? play_TOUCH_ALL_0_1 : play_TOUCH_ALL_0_0;
}
