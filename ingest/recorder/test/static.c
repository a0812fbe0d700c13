/* A static program: no preload reaches it. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    void *volatile block = malloc(1009);
    printf("%s\n", block ? "alone" : "nothing");
    free(block);
    return 8;
}
