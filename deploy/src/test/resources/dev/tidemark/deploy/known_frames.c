/*
 * Fifteen frames that all allocate the same, so that every figure of an interior frame is known beforehand. Sizes are
 * primes where they can be, so that a wrong sum tells which block is in it.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tidemark.h"

enum { FRAMES = 15, LONGER = 3 };

static void *next_frame, *longer[LONGER];
static void *volatile kept; /* so that nothing is left out */

static void *keep(void *block)
{
    kept = block;
    return block;
}

static void frame(int number)
{
    void *aligned = NULL;

    void *first = keep(malloc(101));
    void *second = keep(malloc(211));
    void *zeroed = keep(calloc(3, 103));
    if (posix_memalign(&aligned, 64, 307) != 0) {
        abort();
    }
    free(first);
    free(second);
    free(zeroed);
    free(keep(aligned));

    free(next_frame);
    next_frame = keep(malloc(401));

    free(longer[number % LONGER]);
    longer[number % LONGER] = keep(malloc(503));

    keep(malloc(601)); /* never freed */

    void *resized = keep(malloc(31));
    resized = keep(realloc(resized, 701));
    resized = keep(realloc(resized, 71));
    free(resized);

    void *stays = keep(malloc(97));
    if (keep(realloc(stays, SIZE_MAX / 2)) != NULL) {
        abort();
    }
    free(stays);

    free(keep(realloc(NULL, 53)));
    free(keep(malloc(0)));
    free(keep(NULL));
    if (keep(malloc(SIZE_MAX / 2)) != NULL) {
        abort();
    }
}

int main(void)
{
    tidemark_phase("steady");
    for (int number = 0; number < FRAMES; number++) {
        tidemark_frame();
        frame(number);
        tidemark_value("number", number);
    }
    tidemark_frame();
    return 21;
}
