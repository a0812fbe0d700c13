/* Makes 500 blocks of 1009 bytes and the file named first, waits for the file named second, releases them, makes 300 of 503. */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static void *blocks[500];
static void *volatile kept;

int main(int argc, char **argv)
{
    if (argc < 3) {
        return 2;
    }
    for (int i = 0; i < 500; i++) {
        blocks[i] = malloc(1009);
    }
    close(open(argv[1], O_CREAT | O_WRONLY, 0600));
    for (int i = 0; i < 6000 && access(argv[2], F_OK) != 0; i++) {
        usleep(10000);
    }
    for (int i = 0; i < 500; i++) {
        free(blocks[i]);
    }
    for (int i = 0; i < 300; i++) {
        kept = malloc(503);
    }
    return 7;
}
