/*
 * A small server for the demo where no real one can be had: thirty ticks a second, paced by usleep on the main thread.
 *
 * A world of chunks around a few wandering players. Each tick moves players, sends each a message about every entity near
 * it (blocks that live within the tick), keeps the last two ticks' events (blocks that live into the next ticks), and asks
 * two worker threads for chunks that came into sight; chunks out of sight are saved and released by the main thread. Now and
 * then a player teleports, and the tick that has to forget a whole neighbourhood stands out.
 */
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TICK_US = 33333, SIDE = 64, SIGHT = 5, PLAYERS = 6, LAYERS = 24, NEARBY = 40, EVENTS = 64, WORKERS = 2 };

struct chunk {
    char *layer[LAYERS];
};

static struct chunk *world[SIDE][SIDE]; /* written under the lock */
static unsigned char wanted[SIDE][SIDE];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work = PTHREAD_COND_INITIALIZER;
static volatile sig_atomic_t stopping;

static void stop(int signal)
{
    (void)signal;
    stopping = 1;
}

static unsigned random_below(uint64_t *state, unsigned bound)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)((*state >> 33) % bound);
}

static void *must(void *block)
{
    if (!block) {
        fputs("sample server: out of memory\n", stderr);
        exit(1);
    }
    return block;
}

/* Layers are first drawn roughly, then grown to what they turn out to hold. */
static struct chunk *generate(uint64_t *state)
{
    struct chunk *chunk = must(calloc(1, sizeof *chunk));
    for (int i = 0; i < LAYERS; i++) {
        size_t rough = 512 + random_below(state, 1024);
        chunk->layer[i] = memset(must(malloc(rough)), i, rough);
        size_t whole = rough + random_below(state, 8192);
        chunk->layer[i] = must(realloc(chunk->layer[i], whole));
        memset(chunk->layer[i] + rough, i, whole - rough);
    }
    return chunk;
}

static void forget(struct chunk *chunk)
{
    for (int i = 0; i < LAYERS; i++) {
        char *saved = must(malloc(256));
        memcpy(saved, chunk->layer[i], 256);
        free(chunk->layer[i]);
        free(saved);
    }
    free(chunk);
}

static void *worker(void *seed)
{
    uint64_t state = (uintptr_t)seed;
    pthread_mutex_lock(&lock);
    while (!stopping) {
        int x = -1, z = -1;
        for (int i = 0; i < SIDE * SIDE && x < 0; i++) {
            if (wanted[i / SIDE][i % SIDE]) {
                x = i / SIDE;
                z = i % SIDE;
                wanted[x][z] = 0;
            }
        }
        if (x < 0) {
            pthread_cond_wait(&work, &lock);
            continue;
        }
        pthread_mutex_unlock(&lock);
        struct chunk *chunk = generate(&state);
        pthread_mutex_lock(&lock);
        if (world[x][z]) {
            forget(chunk);
        } else {
            world[x][z] = chunk;
        }
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

static int in_sight(int x, int z, const int player[PLAYERS][2])
{
    for (int p = 0; p < PLAYERS; p++) {
        if (abs(player[p][0] - x) <= SIGHT && abs(player[p][1] - z) <= SIGHT) {
            return 1;
        }
    }
    return 0;
}

static void look_around(const int player[PLAYERS][2])
{
    pthread_mutex_lock(&lock);
    for (int x = 0; x < SIDE; x++) {
        for (int z = 0; z < SIDE; z++) {
            int seen = in_sight(x, z, player);
            wanted[x][z] = seen && !world[x][z];
            if (!seen && world[x][z]) {
                forget(world[x][z]);
                world[x][z] = NULL;
            }
        }
    }
    pthread_cond_broadcast(&work);
    pthread_mutex_unlock(&lock);
}

static void send_messages(uint64_t *state)
{
    for (int p = 0; p < PLAYERS; p++) {
        char *message[NEARBY];
        for (int i = 0; i < NEARBY; i++) {
            size_t bytes = 24 + random_below(state, 400);
            message[i] = memset(must(malloc(bytes)), p, bytes);
        }
        for (int i = 0; i < NEARBY; i++) {
            free(message[i]);
        }
    }
}

int main(void)
{
    static char *events[2][EVENTS];
    int player[PLAYERS][2];
    pthread_t threads[WORKERS];
    uint64_t state = 42;

    signal(SIGTERM, stop);
    signal(SIGINT, stop);
    for (int p = 0; p < PLAYERS; p++) {
        player[p][0] = player[p][1] = SIDE / 2;
    }
    for (uintptr_t w = 0; w < WORKERS; w++) {
        if (pthread_create(&threads[w], NULL, worker, (void *)(w + 1))) {
            return 1;
        }
    }
    for (unsigned tick = 0; !stopping; tick++) {
        for (int p = 0; p < PLAYERS; p++) {
            int teleports = random_below(&state, 300) == 0;
            for (int axis = 0; axis < 2; axis++) {
                int step = random_below(&state, 8) == 0 ? (int)random_below(&state, 3) - 1 : 0;
                int to = teleports ? (int)random_below(&state, SIDE) : player[p][axis] + step;
                player[p][axis] = to < 0 ? 0 : to >= SIDE ? SIDE - 1 : to;
            }
        }
        look_around((const int(*)[2])player);
        send_messages(&state);
        for (int i = 0; i < EVENTS; i++) {
            free(events[tick % 2][i]);
            events[tick % 2][i] = must(malloc(32 + random_below(&state, 96)));
        }
        usleep(TICK_US);
    }
    pthread_mutex_lock(&lock);
    pthread_cond_broadcast(&work);
    pthread_mutex_unlock(&lock);
    for (int w = 0; w < WORKERS; w++) {
        pthread_join(threads[w], NULL);
    }
    return 0;
}
