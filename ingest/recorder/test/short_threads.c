/* 40,000 short threads, thirty-two at a time. The one numbered i makes and releases a block of 100,000 + i bytes, nothing else. */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

static void *volatile kept;

static void *work(void *number)
{
    void *block = malloc(100000 + (size_t)(intptr_t)number);
    kept = block;
    free(block);
    return NULL;
}

int main(void)
{
    pthread_t threads[32];
    for (intptr_t i = 0; i < 40000; i += 32) {
        for (int j = 0; j < 32; j++) {
            if (pthread_create(&threads[j], NULL, work, (void *)(i + j)) != 0) {
                return 1;
            }
        }
        for (int j = 0; j < 32; j++) {
            pthread_join(threads[j], NULL);
        }
    }
    return 0;
}
