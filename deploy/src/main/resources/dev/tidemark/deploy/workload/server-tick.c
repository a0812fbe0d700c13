/*
 * A dedicated server at a fixed tick. Players come and go; each tick makes a packet for each player and frees it when it is
 * sent, a tick later; now and then a player walks into a part of the world that has to be made, and another part is given up.
 */
#include "workload.h"

enum { PLAYERS = 64, PER_PLAYER = 12, CHUNKS = 512, PARTS = 24 };

struct player {
    void *state; /* NULL: not there */
    void *packet;
};

struct chunk {
    void *parts[PARTS];
};

static struct tally tally;
static struct player players[PLAYERS];
static struct chunk chunks[CHUNKS];

static int come_and_go(uint64_t *random) {
    int there = 0;
    struct player *player = &players[below(random, PLAYERS)];
    if (!player->state) {
        player->state = make(&tally, size_between(random, 12, 16));
    } else if (below(random, 8) == 0) {
        free(player->state);
        free(player->packet);
        *player = (struct player){NULL, NULL};
    }
    for (int i = 0; i < PLAYERS; i++)
        there += players[i].state != NULL;
    return there;
}

static void serve(const struct options *options, struct player *player, uint64_t *random) {
    for (size_t i = scaled(options, PER_PLAYER); i-- > 0;)
        free(make(&tally, size_between(random, 4, 10)));
    free(player->packet);
    size_t size = size_between(random, 6, 9);
    player->packet = make(&tally, size);
    if (below(random, 4) == 0) {
        size_t larger = size + size_between(random, 8, 12);
        player->packet = realloc(player->packet, larger);
        tally.bytes += larger;
    }
}

static void make_chunk(uint64_t *random) {
    struct chunk *chunk = &chunks[below(random, CHUNKS)];
    for (int i = 0; i < PARTS; i++) {
        free(chunk->parts[i]);
        chunk->parts[i] = make(&tally, size_between(random, 8, 15));
    }
}

int main(int argc, char **argv) {
    struct options options = read_options(argc, argv);
    uint64_t random = options.seed;
    struct timespec begun;
    tidemark_phase("startup");
    for (int i = 0; i < CHUNKS / 2; i++)
        make_chunk(&random);
    clock_gettime(CLOCK_MONOTONIC, &begun);
    for (long tick = 0; tick < options.count; tick++) {
        if (tick == 1)
            tidemark_phase("serving");
        int there = come_and_go(&random);
        for (int i = 0; i < PLAYERS; i++)
            if (players[i].state)
                serve(&options, &players[i], &random);
        if (below(&random, 10) == 0)
            make_chunk(&random);
        await_period(&options, &begun);
        if (tick % 30 == 0)
            tidemark_value("players", there);
        tidemark_tick();
    }
    printf("server-tick: %ld ticks, %lu blocks, %lu bytes\n", options.count, tally.blocks, tally.bytes);
    return 0;
}
