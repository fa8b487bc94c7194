/* keep.c - see keep.h. */
#include "kit/keep.h"

#include <stdlib.h>

typedef struct kept {
    struct kept *next;
    void *memory;
    void (*release)(void *memory);
} kept;

static kept *all;

static void release_all(void)
{
    while (all) {
        kept *const first = all;
        all = first->next;
        first->release(first->memory);
        free(first);
    }
}

void *keep_until_end(void *memory, void (*release)(void *memory))
{
    kept *const first = memory ? malloc(sizeof *first) : NULL;

    if (!memory)
        return NULL;
    if (!first || (!all && atexit(release_all) != 0))
        abort();
    *first = (kept){ all, memory, release };
    all = first;
    return memory;
}
