/* The file that the agent reads: making it, and what else the recorder reads and writes in the file system. */
#ifndef TIDEMARK_FILE_H
#define TIDEMARK_FILE_H

#include <stdbool.h>

#include "record_format.h"

enum { TIDEMARK_PATH_BYTES = 512 };

/* A new file with a complete header under its final name; NULL: not possible, and a .error says why. */
struct tidemark_header *tidemark_create_file(const char *folder, uint64_t start_ticks);
const char *tidemark_file_path(void);

void tidemark_note_child(const char *owner_file); /* an inert child counts itself in its ancestor's file */
bool tidemark_reserve_ring(struct tidemark_header *header, uint32_t index);

#endif
