/*
 * Stand-ins for libSDL2 and libGL. SDL's swap calls GLX's, which it finds as the real one does: glXGetProcAddressARB by dlsym, then
 * glXSwapBuffers by that. `real_swaps` counts what arrived.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>

typedef void proc(void);
typedef proc *look_up(const char *);
int real_swaps;

void glXSwapBuffers(void *display, unsigned long drawable);
proc *glXGetProcAddressARB(const char *name);
int SDL_GL_SwapWindow(void *window);
void *SDL_GL_GetProcAddress(const char *name);
long vkQueuePresentKHR(void *queue, const void *info);
proc *vkGetInstanceProcAddr(void *instance, const char *name);
proc *vkGetDeviceProcAddr(void *device, const char *name);
int eglSwapBuffers(void *display, void *surface);
proc *eglGetProcAddress(const char *name);

static void real_glx_swap(void *display, unsigned long drawable)
{
    real_swaps += display == (void *)0x51 && drawable == 0x5151515151;
}

void glXSwapBuffers(void *display, unsigned long drawable) { real_glx_swap(display, drawable); }

proc *glXGetProcAddressARB(const char *name)
{
    return strcmp(name, "glXSwapBuffers") == 0 ? (proc *)real_glx_swap : NULL;
}

void *SDL_GL_GetProcAddress(const char *name)
{
    look_up *find = (look_up *)dlsym(dlopen(NULL, RTLD_LAZY), "glXGetProcAddressARB");
    return (void *)find(name);
}

int SDL_GL_SwapWindow(void *window)
{
    void (*swap)(void *, unsigned long) = (void (*)(void *, unsigned long))SDL_GL_GetProcAddress("glXSwapBuffers");
    swap(window, 0x5151515151);
    return -7;
}

static long real_present(void *queue, const void *info)
{
    real_swaps += queue == (void *)0x51 && !info;
    return -1000001004;
}

long vkQueuePresentKHR(void *queue, const void *info) { return real_present(queue, info); }

proc *vkGetDeviceProcAddr(void *device, const char *name)
{
    return device && strcmp(name, "vkQueuePresentKHR") == 0 ? (proc *)real_present : NULL;
}

proc *vkGetInstanceProcAddr(void *instance, const char *name)
{
    return instance && strcmp(name, "vkGetDeviceProcAddr") == 0 ? (proc *)vkGetDeviceProcAddr : NULL;
}

static int real_egl_swap(void *display, void *surface)
{
    real_swaps += display == (void *)0x51 && !surface;
    return 1;
}

int eglSwapBuffers(void *display, void *surface) { return real_egl_swap(display, surface); }

proc *eglGetProcAddress(const char *name)
{
    return strcmp(name, "eglSwapBuffers") == 0 ? (proc *)real_egl_swap : NULL;
}
