/*
 * Twenty-one frames of the same known calls, with prime sizes, so that each frame can be checked by hand: three blocks of 101
 * that live in the frame, one of 211 until the next, one of 7 x 13 for five frames, one of 307 aligned to 64 for ever, one that
 * grows from 401 to 809, one made by realloc(NULL, 503), one of size 0, and a malloc that fails.
 */
#include <stdint.h>
#include <stdlib.h>

#include "../../../recorder/tidemark.h"

enum { FRAMES = 21, LONGER = 5 };

static void *volatile kept;
static volatile size_t huge = SIZE_MAX / 2;

static void *keep(void *block)
{
    kept = block;
    return block;
}

int main(void)
{
    void *next = NULL, *longer[LONGER] = {NULL};
    for (int frame = 0; frame < FRAMES; frame++) {
        tidemark_frame();
        for (int i = 0; i < 3; i++) {
            free(keep(malloc(101)));
        }
        free(next);
        next = keep(malloc(211));
        free(longer[frame % LONGER]);
        longer[frame % LONGER] = keep(calloc(7, 13));
        if (posix_memalign((void **)&kept, 64, 307) != 0) {
            return 1;
        }
        free(keep(realloc(keep(malloc(401)), 809)));
        free(keep(realloc(NULL, 503)));
        free(keep(malloc(0)));
        free(NULL);
        kept = malloc(huge);
    }
    tidemark_frame();
    return 7;
}
