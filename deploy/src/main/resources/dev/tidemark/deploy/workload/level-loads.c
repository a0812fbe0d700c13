/*
 * A single-threaded game that loads a level every so often. A load makes thousands of assets in a few frames, some of
 * them megabytes; play makes blocks that die in their frame, some that live on for up to 60 frames, and a few that stay until
 * the level ends, when everything is freed at once.
 */
#include "workload.h"

enum { LEVELS = 10, LOAD_FRAMES = 20, ASSETS = 250, PER_FRAME = 120, LINGERING = 20, LIFETIME = 60, MOST_KEPT = 1 << 20 };

static struct tally tally;
static void *kept[MOST_KEPT]; /* until the level ends */
static size_t kept_count;

static void keep(void *block) {
    if (kept_count == MOST_KEPT)
        free(kept[--kept_count]);
    kept[kept_count++] = block;
}

static void load_frame(const struct options *options, uint64_t *random) {
    for (size_t i = scaled(options, ASSETS); i-- > 0;)
        keep(make(&tally, below(random, 50) == 0 ? size_between(random, 17, 21) : size_between(random, 5, 14)));
}

/* Blocks that live on wait in the slot of the frame in which they die. */
static void play_frame(const struct options *options, uint64_t *random, long frame, void ***lingering, size_t *dying) {
    size_t blocks = scaled(options, PER_FRAME);
    size_t living_on = scaled(options, LINGERING);
    void **slot = lingering[frame % LIFETIME];
    while (dying[frame % LIFETIME] > 0)
        free(slot[--dying[frame % LIFETIME]]);
    void *scratch[64];
    for (size_t made = 0; made < blocks;) {
        size_t batch = blocks - made < 64 ? blocks - made : 64;
        for (size_t i = 0; i < batch; i++)
            scratch[i] = make(&tally, size_between(random, 4, 11));
        for (size_t i = batch; i-- > 0;)
            free(scratch[i]);
        made += batch;
    }
    for (size_t i = 0; i < living_on; i++) {
        size_t in = (size_t)(frame + 1 + (long)below(random, LIFETIME - 1)) % LIFETIME;
        void *block = make(&tally, size_between(random, 4, 10));
        if (dying[in] < living_on * LIFETIME)
            lingering[in][dying[in]++] = block;
        else
            free(block);
    }
    if (below(random, 4) == 0)
        keep(make(&tally, size_between(random, 6, 13)));
}

int main(int argc, char **argv) {
    struct options options = read_options(argc, argv);
    uint64_t random = options.seed;
    void **lingering[LIFETIME];
    size_t dying[LIFETIME] = {0};
    for (int i = 0; i < LIFETIME; i++)
        lingering[i] = malloc((scaled(&options, LINGERING) * LIFETIME + 1) * sizeof(void *));
    long frames_per_level = options.count / LEVELS > LOAD_FRAMES ? options.count / LEVELS : LOAD_FRAMES + 1;
    struct timespec begun;
    clock_gettime(CLOCK_MONOTONIC, &begun);
    for (long frame = 0; frame < options.count; frame++) {
        long in_level = frame % frames_per_level;
        if (in_level == 0) {
            tidemark_phase("load");
            while (kept_count > 0)
                free(kept[--kept_count]);
        } else if (in_level == LOAD_FRAMES) {
            tidemark_phase("play");
        }
        if (in_level < LOAD_FRAMES)
            load_frame(&options, &random);
        else
            play_frame(&options, &random, frame, lingering, dying);
        await_period(&options, &begun);
        tidemark_frame();
    }
    printf("level-loads: %ld frames, %lu blocks, %lu bytes\n", options.count, tally.blocks, tally.bytes);
    return 0;
}
