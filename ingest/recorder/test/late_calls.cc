// 100 threads whose clean-up allocates: a thread_local's destructor 2003 bytes, a pthread key's 1009 in each of its four rounds.
#include <pthread.h>
#include <cstdint>
#include <cstdlib>
#include <thread>
#include <vector>

static void *volatile kept;
static pthread_key_t key;

static void again(void *round)
{
    kept = std::malloc(1009);
    std::free(kept);
    if (reinterpret_cast<std::intptr_t>(round) < 4) { // 4 rounds are all there are
        pthread_setspecific(key, static_cast<char *>(round) + 1);
    }
}

struct Last {
    ~Last()
    {
        kept = std::malloc(2003);
        std::free(kept);
    }
};
static thread_local Last last;

int main()
{
    pthread_key_create(&key, again);
    for (int i = 0; i < 100; i++) {
        std::thread([] {
            (void)&last;
            pthread_setspecific(key, reinterpret_cast<void *>(1));
        }).join();
    }
}
