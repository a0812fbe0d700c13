/*
 * Marks for a program that knows its own frames and ticks. No library to link: without the recorder every call is a
 * test of a null pointer, under it (LD_PRELOAD=libtidemark.so) the mark goes into the stream of the calling thread.
 *
 *     #include "tidemark.h"
 *     for (;;) { simulate(); tidemark_tick(); render(); tidemark_frame(); }
 *     tidemark_phase("battle");                     from here on, until the next phase
 *     tidemark_value("players", 12);
 *
 * A frame or tick ends, and the next begins, at the call. Names are copied, 59 bytes of them, 256 different ones a process.
 */
#ifndef TIDEMARK_H
#define TIDEMARK_H

/* Weak: null where nobody has it. Through the global offset table, else a program at a fixed address is linked to null for good. */
#if defined(__has_attribute) && __has_attribute(noplt)
#define TIDEMARK_WEAK __attribute__((weak, noplt))
#else
#define TIDEMARK_WEAK __attribute__((weak))
#endif

#ifdef __cplusplus
extern "C" {
#endif

TIDEMARK_WEAK void tidemark_frame(void);
TIDEMARK_WEAK void tidemark_tick(void);
TIDEMARK_WEAK void tidemark_phase(const char *name);
TIDEMARK_WEAK void tidemark_value(const char *name, double value);

#ifdef __cplusplus
}
#endif

#ifndef TIDEMARK_IMPLEMENTS_MARKS
#define tidemark_frame() (tidemark_frame ? tidemark_frame() : (void)0)
#define tidemark_tick() (tidemark_tick ? tidemark_tick() : (void)0)
#define tidemark_phase(name) (tidemark_phase ? tidemark_phase(name) : (void)0)
#define tidemark_value(name, value) (tidemark_value ? tidemark_value((name), (value)) : (void)0)
#endif

#endif
