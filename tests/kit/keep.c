/* keep.c - see keep.h. */
#include "kit/keep.h"

#include <stdatomic.h>
#include <stdlib.h>

typedef struct kept {
    struct kept *next;
    void *memory;
    void (*release)(void *memory);
} kept;

static _Atomic(kept *) all;

const void *keep_mark(void)
{
    return all;
}

void keep_release(const void *mark)
{
    while (all != mark) {
        kept *const first = all;
        all = first->next;
        first->release(first->memory);
        free(first);
    }
}

static void release_all(void)
{
    keep_release(NULL);
}

void *keep_until_end(void *memory, void (*release)(void *memory))
{
    static atomic_flag at_end = ATOMIC_FLAG_INIT;
    kept *const first = memory ? malloc(sizeof *first) : NULL;

    if (!memory)
        return NULL;
    if (!first || (!atomic_flag_test_and_set(&at_end) && atexit(release_all) != 0))
        abort();
    *first = (kept){ all, memory, release };
    while (!atomic_compare_exchange_weak(&all, &first->next, first))
        ;
    return memory;
}
