/*
 * Frees 32 MiB of small blocks below one that lives, so that malloc_trim alone can give them back, and counts by
 * itself what that did: trims FILE. Then trims again without a descriptor to be had. errno and what the call says must stay.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { BLOCKS = 32768, BLOCK_BYTES = 1009 };

static void *blocks[BLOCKS];
static void *volatile last;

static long private_pages(void)
{
    long all = 0, resident = 0, shared = 0;
    FILE *statm = fopen("/proc/self/statm", "r");
    if (!statm || fscanf(statm, "%ld %ld %ld", &all, &resident, &shared) != 3) {
        exit(1);
    }
    fclose(statm);
    return resident - shared;
}

int main(int argc, char **argv)
{
    struct rlimit none = {0, 0};
    if (argc < 2) {
        return 2;
    }
    private_pages(); /* what stdio needs is there from here on */
    for (int i = 0; i < BLOCKS; i++) {
        memset(blocks[i] = malloc(BLOCK_BYTES), 1, BLOCK_BYTES);
    }
    last = malloc(BLOCK_BYTES);
    for (int i = 0; i < BLOCKS; i++) {
        free(blocks[i]);
    }
    long before = private_pages();
    errno = 123;
    int released = malloc_trim(0);
    int error = errno;
    long after = private_pages();
    FILE *file = fopen(argv[1], "w");
    if (!file || fprintf(file, "%ld\n", (before - after) * 4096) < 0 || fclose(file) != 0) {
        return 1;
    }
    setrlimit(RLIMIT_NOFILE, &none);
    malloc_trim(0);
    return error == 123 && released == 1 ? 7 : 3;
}
