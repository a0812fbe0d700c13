/* Known calls with prime sizes, between two phases. What stands in expected_known_c was worked out by hand. */
#define _GNU_SOURCE
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../tidemark.h"

static void *volatile kept; /* keeps the compiler from leaving calls out */
static volatile size_t huge = SIZE_MAX / 2;

static void *keep(void *block)
{
    kept = block;
    return block;
}

int main(void)
{
    void *aligned = NULL;
    tidemark_phase("begin");
    void *a = keep(malloc(1009));
    void *b = keep(calloc(7, 13));
    a = keep(realloc(a, 10007)); /* grows */
    a = keep(realloc(a, 503));   /* shrinks */
    kept = realloc(a, huge);     /* fails: a lives on */
    void *c = keep(realloc(NULL, 211));
    c = keep(reallocarray(c, 3, 71));
    kept = reallocarray(c, huge, 16); /* fails by overflow */
    kept = malloc(huge);              /* fails */
    kept = calloc(huge, 16);          /* fails by overflow */
    free(NULL);
    void *d = keep(malloc(0));
    free(d);
    if (posix_memalign(&aligned, 64, 307) != 0 || posix_memalign(&aligned, 3, 307) != 22) { /* EINVAL, the block stays */
        return 1;
    }
    free(aligned);
    free(keep(aligned_alloc(128, 1024)));
    free(keep(memalign(256, 401)));
    free(keep(valloc(601)));
    free(keep(pvalloc(701)));
    kept = realloc(c, 0);
    free(kept); /* where the allocator made a block of it */
    free(a);
    free(b);
    malloc_trim(17);
    tidemark_value("players", 12.5);
    tidemark_phase("end");
    return 7;
}
