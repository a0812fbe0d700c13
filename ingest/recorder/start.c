/*
 * Who records: decided once per process image, at its first allocation or, where there is none, before main.
 *
 * Off without TIDEMARK_RING_DIR. The first image records, and writes TIDEMARK_OWNER=PID:START:FILE into its environment: an
 * image that finds its own pid and start time there came by exec and records too; any other is a child and stays inert
 * (unless TIDEMARK_CHILDREN=1), but leaves a note in its ancestor's file, so that a session without events can say why.
 * A forked child finds its state wiped (recorder.h) and comes through here again.
 */
#define _GNU_SOURCE
#include "recorder.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "file.h"
#include "next.h"
#include "proc.h"

#define OWNER "TIDEMARK_OWNER="

struct tidemark_process tidemark_process;

static char owner_text[sizeof OWNER + 48 + TIDEMARK_PATH_BYTES];
static void (*next_exit)(int);
static bool was_here; /* in this image, before a fork: the page of tidemark_process alone is wiped */

const char *tidemark_setting(const char *name)
{
    size_t length = strlen(name);
    for (char **entry = environ; entry && *entry; entry++) {
        const char *text = *entry;
        if (strncmp(text, "TIDEMARK_", 9) == 0 && strncmp(text + 9, name, length) == 0 && text[9 + length] == '=') {
            return text + 9 + length + 1;
        }
    }
    return NULL;
}

/* What this image was born as: another's child, if the owner in the environment is not this very process. */
static bool is_child(uint64_t start_ticks)
{
    const char *owner = tidemark_setting("OWNER");
    char *rest = NULL;
    if (!owner || strtoull(owner, &rest, 10) != (unsigned long long)getpid() || *rest != ':') {
        return owner != NULL;
    }
    return strtoull(rest + 1, NULL, 10) != start_ticks;
}

/* The file of the owner, behind the second colon. */
static const char *owner_file(void)
{
    const char *owner = tidemark_setting("OWNER");
    const char *first = owner ? strchr(owner, ':') : NULL;
    const char *second = first ? strchr(first + 1, ':') : NULL;
    return second ? second + 1 : "";
}

/*
 * Before main alone: a forked child's environment is the program's own by now (perl frees each string of it). setenv would
 * allocate, and take the environment's lock, which the program may be holding at this very moment.
 */
static void set_owner(uint64_t start_ticks, const char *file)
{
    size_t count = 0;
    snprintf(owner_text, sizeof owner_text, OWNER "%d:%llu:%s", (int)getpid(), (unsigned long long)start_ticks, file);
    for (; environ[count]; count++) {
        if (strncmp(environ[count], OWNER, sizeof OWNER - 1) == 0) {
            environ[count] = owner_text;
            return;
        }
    }
    char **longer = mmap(NULL, (count + 2) * sizeof *longer, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (longer != MAP_FAILED) {
        memcpy(longer, environ, count * sizeof *longer);
        longer[count] = owner_text;
        environ = longer;
    }
}

static void wipe_in_child(void)
{
    memset(&tidemark_process, 0, sizeof tidemark_process);
}

static void note_exit(int code, void *unused)
{
    (void)unused;
    struct tidemark_header *header = tidemark_process.header; /* NULL in a forked child */
    if (header) {
        header->exit_code = (uint32_t)code;
        atomic_store_explicit(&header->state, TIDEMARK_STATE_EXITED, memory_order_release);
    }
}

/*
 * A program that leaves by _exit, as shells do, runs no exit handler. The child of a vfork does so in its parent's memory: it is
 * not the one that the file is about.
 */
static _Noreturn void leave(int code)
{
    struct tidemark_header *header = tidemark_process.header;
    if (header && header->pid == (uint32_t)getpid()) {
        note_exit(code, NULL);
    }
    for (;;) {
        next_exit ? next_exit(code) : (void)syscall(SYS_exit_group, code);
    }
}

EXPORT _Noreturn void _exit(int code)
{
    leave(code);
}

EXPORT _Noreturn void _Exit(int code)
{
    leave(code);
}

static void find_exit(void)
{
    void *found = tidemark_find("_exit");
    memcpy(&next_exit, &found, sizeof found);
}

static uint64_t start_in(const char *folder)
{
    const char *children = tidemark_setting("CHILDREN");
    uint64_t start_ticks = tidemark_read_start_ticks();
    if (is_child(start_ticks) && !(children && strcmp(children, "1") == 0)) {
        tidemark_note_child(owner_file());
        return SESSION_OFF;
    }
    struct tidemark_header *header = tidemark_create_file(folder, start_ticks);
    if (!header) {
        return SESSION_OFF;
    }
    tidemark_rings_begin();
    if (!was_here) {
        was_here = true;
        set_owner(start_ticks, tidemark_file_path());
        on_exit(note_exit, NULL);
    }
    tidemark_process.header = header;
    tidemark_process.rings = (unsigned char *)header + header->rings_offset;
    return header->start_stamp < SESSION_FIRST ? SESSION_FIRST : header->start_stamp;
}

bool tidemark_start(void)
{
    uint64_t session = SESSION_NONE;
    if (!environ) {
        return false; /* the loader's own first allocations */
    }
    if (!atomic_compare_exchange_strong(&tidemark_process.session, &session, SESSION_STARTING)) {
        return session >= SESSION_FIRST;
    }
    if (madvise(&tidemark_process, sizeof tidemark_process, MADV_WIPEONFORK) != 0) {
        pthread_atfork(NULL, NULL, wipe_in_child); /* a kernel before 4.14 */
    }
    tidemark_marks_begin();
    const char *folder = tidemark_setting("RING_DIR");
    session = folder && *folder && getauxval(AT_SECURE) == 0 ? start_in(folder) : SESSION_OFF;
    atomic_store_explicit(&tidemark_process.session, session, memory_order_release);
    return session >= SESSION_FIRST;
}

__attribute__((constructor)) static void start_before_main(void)
{
    bool was_busy = tidemark_self.busy;
    tidemark_self.busy = true;
    tidemark_start();
    tidemark_resolve_cxx();
    find_exit();
    tidemark_self.busy = was_busy;
}
