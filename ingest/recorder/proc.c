/*
 * What the system says of this process. Raw system calls: the program may have wrapped or be cancelled in the library's, and a
 * look in the middle of its run must not be a place where it can end.
 */
#define _GNU_SOURCE
#include "proc.h"
#include "next.h"
#include "recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

void tidemark_read_text(const char *path, char *text, size_t bytes)
{
    int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
    ssize_t got = fd >= 0 ? syscall(SYS_read, fd, text, bytes - 1) : 0;
    if (fd >= 0) {
        syscall(SYS_close, fd);
    }
    text[got > 0 ? got : 0] = 0;
}

void tidemark_read_executable(char *text, size_t bytes)
{
    ssize_t length = readlink("/proc/self/exe", text, bytes - 1);
    text[length > 0 ? length : 0] = 0;
}

/* Field 22 of /proc/self/stat; the name in field 2 may hold blanks and brackets. */
uint64_t tidemark_read_start_ticks(void)
{
    char text[1024];
    tidemark_read_text("/proc/self/stat", text, sizeof text);
    const char *at = strrchr(text, ')');
    for (int field = 1; at && field < 21; field++) {
        at = strchr(at + 1, ' ');
    }
    return at ? strtoull(at + 1, NULL, 10) : 0;
}

/* Fields 2 and 3 of /proc/self/statm: resident pages, and those of them that are of files or shared, as the rings are. */
int64_t tidemark_private_bytes(void)
{
    char text[256], *end;
    int saved = errno;
    tidemark_read_text("/proc/self/statm", text, sizeof text);
    errno = saved;
    const char *resident = strchr(text, ' ');
    const char *shared = resident ? strchr(resident + 1, ' ') : NULL;
    if (!shared) {
        return TIDEMARK_UNREADABLE;
    }
    long long pages = strtoll(resident + 1, &end, 10) - strtoll(shared + 1, &end, 10);
    return pages * (int64_t)tidemark_page_bytes;
}

int64_t tidemark_lost_bytes(int64_t before)
{
    int64_t after = tidemark_private_bytes();
    return before == TIDEMARK_UNREADABLE || after == TIDEMARK_UNREADABLE ? TIDEMARK_UNREADABLE : before - after;
}
