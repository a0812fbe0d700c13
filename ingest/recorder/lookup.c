/*
 * Swap calls, by name and when looked up.
 *
 * A game may be linked to SDL_GL_SwapWindow, or look it up, or look up what looks it up (SDL finds glXSwapBuffers by
 * glXGetProcAddressARB, which it finds by dlsym). So the swap calls are exported here, and dlsym and the GetProcAddress
 * family hand out a trampoline in front of what they found. Swap calls nest: only the outermost of a thread is a mark.
 *
 * All of them take at most six integers or pointers and return one: one shape forwards them all (marks.c).
 * A symbol that only this library has is not found: a program that asks whether SDL is there gets the answer it would have
 * got. Looked up beyond the trampolines there are, a function is handed out as it is.
 */
#define _GNU_SOURCE
#include "recorder.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>

typedef long call_of_six(long, long, long, long, long, long);

/* A symbol: the mark that it makes, or, for a way to look up, minus the place of the name among its parameters less one. */
#define SYMBOLS(X)                                                           \
    X(SDL_GL_SwapWindow, TIDEMARK_MARK_SDL_GL_SWAP_WINDOW)                   \
    X(SDL_RenderPresent, TIDEMARK_MARK_SDL_RENDER_PRESENT)                   \
    X(SDL_UpdateWindowSurface, TIDEMARK_MARK_SDL_UPDATE_WINDOW_SURFACE)      \
    X(SDL_UpdateWindowSurfaceRects, TIDEMARK_MARK_SDL_UPDATE_WINDOW_SURFACE) \
    X(glXSwapBuffers, TIDEMARK_MARK_GLX_SWAP_BUFFERS)                        \
    X(eglSwapBuffers, TIDEMARK_MARK_EGL_SWAP_BUFFERS)                        \
    X(eglSwapBuffersWithDamageKHR, TIDEMARK_MARK_EGL_SWAP_BUFFERS)           \
    X(eglSwapBuffersWithDamageEXT, TIDEMARK_MARK_EGL_SWAP_BUFFERS)           \
    X(vkQueuePresentKHR, TIDEMARK_MARK_VK_QUEUE_PRESENT)                     \
    X(glXGetProcAddress, NAME_IS_FIRST)                                      \
    X(glXGetProcAddressARB, NAME_IS_FIRST)                                   \
    X(eglGetProcAddress, NAME_IS_FIRST)                                      \
    X(SDL_GL_GetProcAddress, NAME_IS_FIRST)                                  \
    X(vkGetInstanceProcAddr, NAME_IS_SECOND)                                 \
    X(vkGetDeviceProcAddr, NAME_IS_SECOND)
enum { NAME_IS_FIRST = -1, NAME_IS_SECOND = -2 };

#define SYMBOL_ENUM(name, what) SYMBOL_##name,
enum { SYMBOLS(SYMBOL_ENUM) SYMBOL_COUNT };
#define SYMBOL_ROW(name, what) {#name, what},
static const struct {
    const char *name;
    int what;
} symbols[] = {SYMBOLS(SYMBOL_ROW)};

/* Trampolines: each forwards to one function that a look-up found. */
#define SLOTS(X)                                                                                              \
    X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15) X(16) X(17) X(18) X(19) \
    X(20) X(21) X(22) X(23) X(24) X(25) X(26) X(27) X(28) X(29) X(30) X(31)
#define SLOT_ONE(i) +1
enum { SLOT_COUNT = SLOTS(SLOT_ONE) };
static struct {
    void *_Atomic target;
    _Atomic int symbol; /* plus 1; 0: not ready yet */
} slots[SLOT_COUNT];

static _Thread_local int depth __attribute__((tls_model("initial-exec")));
static void *trampoline(int symbol, void *target);

static int symbol_of(const char *name)
{
    if (name && strchr("Sgev", name[0])) {
        for (int i = 0; i < SYMBOL_COUNT; i++) {
            if (strcmp(name, symbols[i].name) == 0) {
                return i;
            }
        }
    }
    return -1;
}

static void leave(const int *unused)
{
    (void)unused;
    depth--;
}

static long swap(int symbol, call_of_six *target, long a, long b, long c, long d, long e, long f)
{
    long result;
    {
        __attribute__((cleanup(leave))) int inside = depth++;
        (void)inside;
        result = target(a, b, c, d, e, f);
    }
    if (depth == 0) {
        int saved = errno;
        tidemark_mark_swap((enum tidemark_mark)symbols[symbol].what);
        errno = saved;
    }
    return result;
}

/* One call of a symbol that stands in `symbols`, forwarded to `target`. */
static long forward(int symbol, void *target, long a, long b, long c, long d, long e, long f)
{
    call_of_six *function;
    memcpy(&function, &target, sizeof target);
    if (!function) {
        return 0; /* nobody has it; the program would not have started, or not have called */
    }
    if (symbols[symbol].what >= 0) {
        return swap(symbol, function, a, b, c, d, e, f);
    }
    long found = function(a, b, c, d, e, f);
    int asked = symbol_of((const char *)(symbols[symbol].what == NAME_IS_FIRST ? a : b));
    return found && asked >= 0 ? (long)trampoline(asked, (void *)found) : found;
}

#define SLOT_FUNCTION(i)                                                                                      \
    static long slot_##i(long a, long b, long c, long d, long e, long f)                                      \
    {                                                                                                         \
        return forward(atomic_load(&slots[i].symbol) - 1, atomic_load(&slots[i].target), a, b, c, d, e, f);   \
    }
SLOTS(SLOT_FUNCTION)
#define SLOT_ADDRESS(i) slot_##i,
static call_of_six *const slot_functions[] = {SLOTS(SLOT_ADDRESS)};

/* The exported ones: found once, also in a library that came by a local dlopen of the caller's. */
#define EXPORTED(name, what)                                                                                  \
    EXPORT long looked_##name(long a, long b, long c, long d, long e, long f) __asm__(#name);                 \
    EXPORT long looked_##name(long a, long b, long c, long d, long e, long f)                                 \
    {                                                                                                         \
        static void *_Atomic next;                                                                            \
        void *target = atomic_load_explicit(&next, memory_order_relaxed);                                     \
        if (unlikely(!target)) {                                                                              \
            target = tidemark_find_for(#name, __builtin_return_address(0));                                   \
            atomic_store_explicit(&next, target, memory_order_relaxed);                                       \
        }                                                                                                     \
        return forward(SYMBOL_##name, target, a, b, c, d, e, f);                                              \
    }
SYMBOLS(EXPORTED)
#define EXPORTED_ADDRESS(name, what) looked_##name,
static call_of_six *const exported[] = {SYMBOLS(EXPORTED_ADDRESS)};

static bool is_ours(const void *function)
{
    for (int i = 0; i < SYMBOL_COUNT; i++) {
        if (function == (void *)exported[i]) {
            return true;
        }
    }
    for (int i = 0; i < SLOT_COUNT; i++) {
        if (function == (void *)slot_functions[i]) {
            return true;
        }
    }
    return false;
}

static void *trampoline(int symbol, void *target)
{
    if (is_ours(target)) {
        return target;
    }
    for (int i = 0; i < SLOT_COUNT; i++) {
        void *holder = NULL;
        if (atomic_compare_exchange_strong(&slots[i].target, &holder, target)) {
            atomic_store(&slots[i].symbol, symbol + 1);
            return (void *)slot_functions[i];
        }
        if (holder == target && atomic_load(&slots[i].symbol) == symbol + 1) {
            return (void *)slot_functions[i];
        }
    }
    return target;
}

/* Answers dlsym for the symbols above; NOT_OURS for all else, which then goes to the real one as if it had never been here. */
#define NOT_OURS ((void *)1)
__attribute__((used, visibility("hidden"))) void *tidemark_look_up(void *handle, const char *name)
{
    int symbol = symbol_of(name);
    if (!tidemark_real_dlsym && (tidemark_find("malloc"), !tidemark_real_dlsym)) {
        return NULL;
    }
    if (symbol < 0 || handle == RTLD_NEXT) {
        return NOT_OURS; /* RTLD_NEXT depends on who asks: another interposer, whose call comes by here anyway */
    }
    void *found = tidemark_real_dlsym(handle, name);
    if (found == (void *)exported[symbol]) {
        found = tidemark_real_dlsym(RTLD_NEXT, name); /* ours was found: is there another behind it? */
        return found ? (void *)exported[symbol] : NULL;
    }
    return found ? trampoline(symbol, found) : NOT_OURS;
}

/* dlsym looks at its return address to know who asks, so its wrapper must not call the real one: it jumps. */
__asm__(".text\n.globl dlsym\n.type dlsym, %function\n.balign 16\n"
        "dlsym:\n"
#if defined(__x86_64__)
        "    endbr64\n"
        "    push %rdi\n"
        "    push %rsi\n"
        "    sub $8, %rsp\n"
        "    call tidemark_look_up\n"
        "    add $8, %rsp\n"
        "    pop %rsi\n"
        "    pop %rdi\n"
        "    cmp $1, %rax\n"
        "    je 1f\n"
        "    ret\n"
        "1:  mov tidemark_real_dlsym@GOTPCREL(%rip), %rax\n"
        "    jmp *(%rax)\n"
#elif defined(__aarch64__)
        "    stp x29, x30, [sp, #-32]!\n"
        "    stp x0, x1, [sp, #16]\n"
        "    bl tidemark_look_up\n"
        "    mov x16, x0\n"
        "    ldp x0, x1, [sp, #16]\n"
        "    ldp x29, x30, [sp], #32\n"
        "    cmp x16, #1\n"
        "    b.eq 1f\n"
        "    mov x0, x16\n"
        "    ret\n"
        "1:  adrp x16, tidemark_real_dlsym\n"
        "    ldr x16, [x16, :lo12:tidemark_real_dlsym]\n"
        "    br x16\n"
#endif
        ".size dlsym, . - dlsym\n");
