/* The blocks of churn.c where it is a C program. */
#include <stdlib.h>

extern const int resizes_count;
const int resizes_count = 1;
void *make_block(size_t size);
void drop_block(void *block);
void *resize_block(void *block, size_t size);

void *make_block(size_t size) { return malloc(size); }
void drop_block(void *block) { free(block); }
void *resize_block(void *block, size_t size) { return realloc(block, size); }
