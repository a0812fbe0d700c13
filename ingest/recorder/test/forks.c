/*
 * A storm of forks from four threads that allocate meanwhile; children allocate, and exec or leave. 400 blocks of 7919 bytes
 * are the parent's.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void *volatile kept;

static void *work(void *unused)
{
    (void)unused;
    for (volatile int i = 0; i < 100; i++) {
        void *block = malloc(7919);
        kept = block;
        free(block);
        pid_t child = i % 4 == 3 ? (pid_t)syscall(SYS_fork) : i % 4 == 2 ? vfork() : fork(); /* a fork behind libc's back, too */
        if (child == 0) {
            if (i % 2 == 0) {
                execl("/bin/true", "true", (char *)NULL);
                _exit(9);
            }
            if (i % 4 == 1) {
                kept = malloc(104729);
                free(kept);
            }
            _exit(0);
        }
        int status = 1;
        if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
            _exit(1);
        }
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) {
        pthread_create(&threads[i], NULL, work, NULL);
    }
    for (int i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
    }
    return 0;
}
