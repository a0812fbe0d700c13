/* Allocates something and ends as told: exit CODE, leave CODE (by _exit), kill SIGNAL, exec CMD... */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *volatile kept;

int main(int argc, char **argv)
{
    kept = malloc(1009);
    if (argc < 3) {
        return 2;
    }
    if (strcmp(argv[1], "exit") == 0) {
        exit(atoi(argv[2]));
    }
    if (strcmp(argv[1], "leave") == 0) {
        _exit(atoi(argv[2]));
    }
    if (strcmp(argv[1], "kill") == 0) {
        kill(getpid(), atoi(argv[2]));
    }
    execvp(argv[2], argv + 2);
    return 3;
}
