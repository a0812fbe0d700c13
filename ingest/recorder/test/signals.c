/* Signals by the thousand into threads that allocate. Prints one word. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

static _Atomic int rung;
static void *volatile kept;

static void ring(int signal)
{
    (void)signal;
    rung++;
}

static void *work(void *unused)
{
    (void)unused;
    for (int i = 0; i < 200000 || rung < 100; i++) {
        void *block = malloc(1009);
        kept = block;
        free(block);
    }
    return NULL;
}

int main(void)
{
    struct sigaction action;
    struct itimerval often = {{0, 200}, {0, 200}};
    pthread_t threads[4];
    memset(&action, 0, sizeof action);
    action.sa_handler = ring;
    action.sa_flags = SA_RESTART;
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &often, NULL);
    for (int i = 0; i < 4; i++) {
        pthread_create(&threads[i], NULL, work, NULL);
    }
    for (int i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
    }
    puts(rung >= 100 ? "rung" : "silent");
    return 0;
}
