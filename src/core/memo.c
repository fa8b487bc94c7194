/* memo.c - a list of values under a lock. */
#include "core/memo.h"

#include <stdlib.h>
#include <string.h>

#ifdef _OPENMP
#include <omp.h>
#endif

struct entry {
    struct entry *next;
    pen_memo_key key;
    void *value;
};

struct pen_memo {
    struct entry *first;
#ifdef _OPENMP
    omp_lock_t lock;
#endif
};

static void lock(pen_memo *memo)
{
#ifdef _OPENMP
    omp_set_lock(&memo->lock);
#else
    (void)memo;
#endif
}

static void unlock(pen_memo *memo)
{
#ifdef _OPENMP
    omp_unset_lock(&memo->lock);
#else
    (void)memo;
#endif
}

pen_status memo_new(pen_run *run, pen_memo **out)
{
    *out = pen_keep(run, 1, sizeof **out);
    if (!*out)
        return PEN_NO_MEMORY;
#ifdef _OPENMP
    omp_init_lock(&(*out)->lock);
#endif
    return PEN_OK;
}

void memo_free(pen_memo *memo)
{
    if (!memo)
        return;
    while (memo->first) {
        struct entry *const entry = memo->first;
        memo->first = entry->next;
        free(entry->value);
        free(entry);
    }
#ifdef _OPENMP
    omp_destroy_lock(&memo->lock);
#endif
    free(memo);
}

static pen_status add(pen_run *run, pen_memo *memo, const pen_memo_key *key, pen_make_fn make, void *context, const void **value)
{
    struct entry *const entry = pen_keep(run, 1, sizeof *entry);

    if (!entry)
        return PEN_NO_MEMORY;
    const pen_status status = make(run, context, &entry->value);
    if (status != PEN_OK) {
        free(entry);
        return status;
    }
    entry->key = *key;
    entry->next = memo->first;
    memo->first = entry;
    *value = entry->value;
    return PEN_OK;
}

pen_status memo_get(pen_run *run, pen_memo *memo, const pen_memo_key *key, pen_make_fn make, void *context, const void **value)
{
    const struct entry *entry;
    pen_status status = PEN_OK;

    lock(memo);
    for (entry = memo->first; entry && memcmp(&entry->key, key, sizeof *key) != 0; entry = entry->next)
        continue;
    if (entry)
        *value = entry->value;
    else
        status = add(run, memo, key, make, context, value);
    unlock(memo);
    return status;
}
