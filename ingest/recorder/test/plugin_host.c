/* A C program that opens a C++ plugin locally. */
#include <dlfcn.h>

int main(int argc, char **argv)
{
    void *plugin = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : 0;
    int (*run)(void) = plugin ? (int (*)(void))dlsym(plugin, "plugin_run") : 0;
    return run ? run() : 1;
}
