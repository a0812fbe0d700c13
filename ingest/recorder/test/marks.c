/*
 * Swap calls in every way they are reached, each a prime number of times: linked, by dlsym of an open library, by the
 * GetProcAddress of each family. `marks LIB api` then marks by itself; `marks LIB calls` paces by usleep.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../tidemark.h"

typedef void proc(void);
typedef proc *look_up(const char *);
typedef proc *look_up_for(void *, const char *);

static void *must(void *found)
{
    if (!found) {
        _exit(3);
    }
    return found;
}

static void *sleeps_elsewhere(void *unused)
{
    (void)unused;
    for (int i = 0; i < 29; i++) {
        usleep(1);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    void *window = (void *)0x51;
    if (argc > 2 && strcmp(argv[2], "calls") == 0) {
        pthread_t thread;
        pthread_create(&thread, NULL, sleeps_elsewhere, NULL);
        for (int i = 0; i < 23; i++) {
            usleep(1);
        }
        pthread_join(thread, NULL);
        return 0;
    }
    if (dlsym(RTLD_DEFAULT, "SDL_GL_SwapWindow")) {
        return 4; /* nobody has it yet: the recorder must not say otherwise */
    }
    void *library = must(dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL));
    int *real_swaps = must(dlsym(library, "real_swaps"));
    int (*sdl_swap)(void *) = (int (*)(void *))must(dlsym(library, "SDL_GL_SwapWindow"));
    for (int i = 0; i < 3; i++) {
        if (sdl_swap(window) != -7) {
            return 5;
        }
    }
    look_up *glx = (look_up *)must(dlsym(RTLD_DEFAULT, "glXGetProcAddressARB"));
    void (*glx_swap)(void *, unsigned long) = (void (*)(void *, unsigned long))must((void *)glx("glXSwapBuffers"));
    for (int i = 0; i < 5; i++) {
        glx_swap(window, 0x5151515151);
    }
    look_up *egl = (look_up *)must(dlsym(library, "eglGetProcAddress"));
    int (*egl_swap)(void *, void *) = (int (*)(void *, void *))must((void *)egl("eglSwapBuffers"));
    for (int i = 0; i < 7; i++) {
        egl_swap(window, NULL);
    }
    look_up_for *vk = (look_up_for *)must(dlsym(library, "vkGetInstanceProcAddr"));
    look_up_for *device = (look_up_for *)must((void *)vk(window, "vkGetDeviceProcAddr"));
    long (*present)(void *, void *) = (long (*)(void *, void *))must((void *)device(window, "vkQueuePresentKHR"));
    for (int i = 0; i < 11; i++) {
        if (present(window, NULL) != -1000001004) {
            return 6;
        }
    }
    if (*real_swaps != 3 + 5 + 7 + 11) {
        return 7;
    }
    if (argc > 2 && strcmp(argv[2], "api") == 0) {
        for (int i = 0; i < 13; i++) {
            tidemark_frame();
            tidemark_tick();
            sdl_swap(window); /* counted, but a mark no more */
        }
    }
    return 0;
}
