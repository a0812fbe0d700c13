/*
 * Allocates 1,000 blocks of 1009 bytes, then dies or lives as told: kill, term, abort, _exit, locked (in memory), closed (a
 * thread allocates after all descriptors were closed), exec CMD...
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void *volatile kept;

static void allocate(void)
{
    for (int i = 0; i < 1000; i++) {
        kept = malloc(1009);
    }
}

static void *in_thread(void *unused)
{
    (void)unused;
    allocate();
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    const char *how = argc > 1 ? argv[1] : "";
    if (strcmp(how, "closed") == 0) {
        for (int fd = 0; fd < 1024; fd++) {
            close(fd);
        }
        pthread_create(&thread, NULL, in_thread, NULL); /* takes a ring with nothing open */
        pthread_join(thread, NULL);
        return 5;
    }
    if (strcmp(how, "locked") == 0 && mlockall(MCL_CURRENT | MCL_FUTURE) != 0) {
        return 1;
    }
    errno = 123;
    allocate();
    if (errno != 123) {
        return 9; /* the recorder must not touch it */
    }
    if (strcmp(how, "kill") == 0) {
        kill(getpid(), SIGKILL);
    } else if (strcmp(how, "term") == 0) {
        raise(SIGTERM);
    } else if (strcmp(how, "abort") == 0) {
        abort();
    } else if (strcmp(how, "_exit") == 0) {
        _exit(6);
    } else if (strcmp(how, "exec") == 0) {
        execvp(argv[2], argv + 2);
    }
    return 5;
}
