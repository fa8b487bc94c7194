/* own.c - resources that a command releases at its end: memory, and the pager of long texts. */
#define _POSIX_C_SOURCE 200809L

#include "base/cli.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct owned {
    struct owned *before;
    void *pointer;
    void (*release)(void *pointer);
} owned;

static owned *last;

/* Ends the process if memory is exhausted. */
static void *some(size_t count, size_t size)
{
    void *const memory = calloc(count, size);

    if (!memory) {
        cli_fail("out of memory for %zu times %zu bytes", count, size);
        cli_release();
        exit(CLI_FAILED);
    }
    return memory;
}

void *cli_own(void *pointer, void (*release)(void *pointer))
{
    if (!pointer)
        return NULL;
    owned *const entry = some(1, sizeof *entry);
    *entry = (owned){ last, pointer, release };
    last = entry;
    return pointer;
}

void *cli_alloc(int64_t count, size_t size)
{
    return cli_own(some(count > 0 ? (size_t)count : 1, size), free);
}

#define RELEASE(type)                                                                              \
    void cli_free_##type(void *object)                                                             \
    {                                                                                              \
        pen_##type##_free(object);                                                                 \
    }
RELEASE(model)
RELEASE(table)
RELEASE(spec)
RELEASE(stats)
RELEASE(pairs)
RELEASE(sparse)
RELEASE(folds)
RELEASE(comparison)
RELEASE(rows)

void cli_release(void)
{
    while (last) {
        owned *const entry = last;
        last = entry->before;
        entry->release(entry->pointer);
        free(entry);
    }
}

/* ---- the pager ---- */

static FILE *pager;
static int terminal; /* the former standard output */

void cli_page(void)
{
    const char *const wanted = getenv("PAGER");

    if (pager || !isatty(STDOUT_FILENO) || (terminal = dup(STDOUT_FILENO)) < 0)
        return;
    signal(SIGPIPE, SIG_IGN); /* the user may close the pager early */
    fflush(stdout);
    pager = popen(wanted && *wanted ? wanted : "less -FRX 2>/dev/null || cat", "w");
    if (pager)
        dup2(fileno(pager), STDOUT_FILENO);
}

void cli_page_end(void)
{
    if (!pager)
        return;
    fflush(stdout);
    clearerr(stdout);
    dup2(terminal, STDOUT_FILENO);
    pclose(pager);
    pager = NULL;
}
