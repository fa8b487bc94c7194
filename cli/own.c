/* own.c - the owner of all memory of a command. */
#include "cli.h"

#include <stdlib.h>

typedef struct owned {
    struct owned *before;
    void *pointer;
    void (*release)(void *pointer);
} owned;

static owned *last;

/* Without memory for a few bytes nothing else can be done, either. */
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

void cli_release(void)
{
    while (last) {
        owned *const entry = last;
        last = entry->before;
        entry->release(entry->pointer);
        free(entry);
    }
}
