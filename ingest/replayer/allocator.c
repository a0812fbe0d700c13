/*
 * What serves the calls: the allocator that the process came with or that was preloaded, the floor, or a stack that is reset
 * each frame in front of an allocator.
 *
 * The floor hands out an address prepared for each thread and does nothing else: it shows what the replay itself costs. A frame
 * arena serves the blocks that their own thread releases in the frame in which it made them; a double buffer those that it
 * releases by the end of the next frame. Each thread has its own, so that neither takes a lock.
 */
#define _GNU_SOURCE
#include "replayer.h"

#include <dlfcn.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { FLOOR_BYTES = 2 << 20, LEAST_ALIGNMENT = 16 };

static __thread char *prepared __attribute__((tls_model("initial-exec")));

static void *floor_make(size_t bytes)
{
    (void)bytes;
    return prepared;
}

static void *floor_zeroed(size_t count, size_t bytes)
{
    (void)count, (void)bytes;
    return prepared;
}

static int floor_aligned(void **block, size_t alignment, size_t bytes)
{
    (void)alignment, (void)bytes;
    *block = prepared;
    return 0;
}

static void *floor_new(size_t bytes, const void *nothrow)
{
    (void)bytes, (void)nothrow;
    return prepared;
}

static void *floor_new_aligned(size_t bytes, size_t alignment, const void *nothrow)
{
    (void)bytes, (void)alignment, (void)nothrow;
    return prepared;
}

static void *floor_resize(void *block, size_t bytes)
{
    (void)bytes;
    return block ? block : prepared;
}

static void floor_release(void *block)
{
    (void)block;
}

static void floor_delete_aligned(void *block, size_t alignment)
{
    (void)block, (void)alignment;
}

static int floor_trim(size_t pad)
{
    (void)pad;
    return 0;
}

static const struct allocator FLOOR = {floor_make,   floor_zeroed,  floor_aligned, floor_new,            floor_new_aligned,
                                       floor_resize, floor_release, floor_release, floor_delete_aligned, floor_trim};

/* operator new where nobody exports one: what libstdc++ does, without its loop for a new handler. */
static void *plain_new(size_t bytes, const void *nothrow)
{
    (void)nothrow;
    return malloc(bytes ? bytes : 1);
}

static void *plain_new_aligned(size_t bytes, size_t alignment, const void *nothrow)
{
    void *block;
    (void)nothrow;
    return posix_memalign(&block, alignment < sizeof(void *) ? sizeof(void *) : alignment, bytes ? bytes : 1) ? NULL : block;
}

static void plain_delete_aligned(void *block, size_t alignment)
{
    (void)alignment;
    free(block);
}

/* A function by its C++ name; all or none of the four are taken from the library. */
static void *exported(const char *name)
{
    return dlsym(RTLD_DEFAULT, name);
}

static void use_native(struct allocator *allocator)
{
    *allocator = (struct allocator){malloc, calloc, posix_memalign, plain_new, plain_new_aligned, realloc, free, free,
                                    plain_delete_aligned, malloc_trim};
    void *new = exported("_ZnwmRKSt9nothrow_t"), *delete = exported("_ZdlPv");
    void *new_aligned = exported("_ZnwmSt11align_val_tRKSt9nothrow_t"), *delete_aligned = exported("_ZdlPvSt11align_val_t");
    if (new && delete) {
        memcpy(&allocator->new, &new, sizeof new);
        memcpy(&allocator->delete, &delete, sizeof delete);
    }
    if (new_aligned && delete_aligned) {
        memcpy(&allocator->new_aligned, &new_aligned, sizeof new_aligned);
        memcpy(&allocator->delete_aligned, &delete_aligned, sizeof delete_aligned);
    }
}

static void name_library(void)
{
    Dl_info info;
    void *answering = exported("malloc");
    if (answering && dladdr(answering, &info) && info.dli_fname) {
        strncpy(replay.result.allocator, info.dli_fname, sizeof replay.result.allocator - 1);
    }
}

/* Address space alone: that it becomes resident is part of what the arm costs. */
static char *reserve(size_t bytes)
{
    void *base = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED) {
        fatal("no address space for an arena of %zu bytes", bytes);
    }
    return base;
}

static void make_arenas(struct player *player)
{
    bool is_double = replay.options.front == FRONT_DOUBLE_BUFFER;
    uint64_t bytes = is_double ? player->plan->double_buffer_bytes : player->plan->frame_arena_bytes;
    for (int i = 0; bytes > 0 && i < (is_double ? 2 : 1); i++) {
        player->arenas[i] = (struct arena){reserve(bytes), 0, bytes};
    }
}

void choose_allocator(void)
{
    name_library();
    replay.touch_mask = UINT64_MAX;
    if (replay.options.front == FRONT_FLOOR) {
        replay.allocator = FLOOR;
        replay.touch_mask = FLOOR_BYTES - 1;
        for (uint32_t i = 0; i < replay.plan->threads; i++) {
            replay.players[i].arenas[0].base = own_memory(FLOOR_BYTES);
        }
        return;
    }
    use_native(&replay.allocator);
    if (replay.options.front != FRONT_NONE) {
        replay.arena_flag = replay.options.front == FRONT_FRAME_ARENA ? PLAN_SAME_FRAME : PLAN_BY_NEXT_FRAME;
        for (uint32_t i = 0; i < replay.plan->threads; i++) {
            make_arenas(&replay.players[i]);
        }
    }
}

void begin_player(struct player *player)
{
    prepared = player->arenas[0].base;
}

void arena_next_frame(struct player *player, unsigned flags)
{
    player->open_arena = replay.options.front == FRONT_DOUBLE_BUFFER && (flags & PLAN_ODD_FRAME) ? 1 : 0;
    player->arenas[player->open_arena].at = 0;
}

void *make_block(const struct tidemark_plan_operation *operation)
{
    static const char nothrow = 0;
    const struct allocator *allocator = &replay.allocator;
    void *block = NULL;
    size_t alignment = alignment_of(operation);
    switch (operation->kind) {
    case PLAN_CALLOC:
        return allocator->zeroed(1, operation->size);
    case PLAN_ALIGNED:
        alignment = alignment < sizeof(void *) ? sizeof(void *) : alignment;
        return allocator->aligned(&block, alignment, operation->size) ? NULL : block;
    case PLAN_NEW:
        return operation->log2_alignment ? allocator->new_aligned(operation->size, alignment, &nothrow)
                                         : allocator->new(operation->size, &nothrow);
    default:
        return allocator->make(operation->size);
    }
}

void release_block(void *block, const struct tidemark_plan_operation *operation)
{
    if (operation->kind != PLAN_DELETE) {
        replay.allocator.release(block);
    } else if (operation->log2_alignment) {
        replay.allocator.delete_aligned(block, alignment_of(operation));
    } else {
        replay.allocator.delete(block);
    }
}

void *arena_take(struct player *player, const struct tidemark_plan_operation *operation)
{
    struct arena *arena = &player->arenas[player->open_arena];
    size_t unit = operation->log2_alignment > 4 ? alignment_of(operation) : LEAST_ALIGNMENT;
    size_t from = (arena->at + unit - 1) & ~(unit - 1);
    size_t bytes = operation->size ? (operation->size + unit - 1) & ~(unit - 1) : unit;
    if (unlikely(from + bytes > arena->bytes)) {
        return make_block(operation);
    }
    arena->at = from + bytes;
    char *block = arena->base + from;
    return operation->kind == PLAN_CALLOC ? memset(block, 0, operation->size) : block;
}

bool arena_holds(const struct player *player, const void *block)
{
    uintptr_t at = (uintptr_t)block;
    return at - (uintptr_t)player->arenas[0].base < player->arenas[0].bytes
           || at - (uintptr_t)player->arenas[1].base < player->arenas[1].bytes;
}

/* A resize of which the old block, the new one or both are the front's. `made + 1` is its RESIZED. */
void *arena_resize(struct player *player, const struct tidemark_plan_operation *made, void *old)
{
    const struct tidemark_plan_operation *resized = made + 1;
    void *block = made->flags & replay.arena_flag ? arena_take(player, made) : replay.allocator.make(made->size);
    if (block && old) {
        memcpy(block, old, made->size < resized->size ? made->size : resized->size);
        if (!arena_holds(player, old)) {
            replay.allocator.release(old);
        }
    }
    return block;
}

/* Releases a block as the one of `operation` is to be. */
void give_back(void *block, const struct tidemark_plan_operation *operation)
{
    if (operation->kind == PLAN_NEW && operation->log2_alignment) {
        replay.allocator.delete_aligned(block, alignment_of(operation));
    } else if (operation->kind == PLAN_NEW) {
        replay.allocator.delete(block);
    } else {
        replay.allocator.release(block);
    }
}
