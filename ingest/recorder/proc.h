/* What the system says of this process. */
#ifndef TIDEMARK_PROC_H
#define TIDEMARK_PROC_H

#include <stddef.h>
#include <stdint.h>

void tidemark_read_text(const char *path, char *text, size_t bytes); /* a file's first bytes; empty where it can't be read */
void tidemark_read_executable(char *text, size_t bytes);
uint64_t tidemark_read_start_ticks(void); /* when this process began; 0 where /proc is not there */

#endif
