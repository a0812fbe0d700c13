/* The file that the agent reads: making it, and what else the recorder reads and writes in the file system. */
#ifndef TIDEMARK_FILE_H
#define TIDEMARK_FILE_H

#include "record_format.h"

enum { TIDEMARK_PATH_BYTES = 512 };

/* A new file with a complete header under its final name; NULL: not possible, and a .error says why. */
struct tidemark_header *tidemark_create_file(const char *folder, uint64_t start_ticks);
const char *tidemark_file_path(void);

void tidemark_note_child(const char *owner_file); /* an inert child counts itself in its ancestor's file */
uint64_t tidemark_read_start_ticks(void);         /* when this process began; 0 where /proc is not there */

#endif
