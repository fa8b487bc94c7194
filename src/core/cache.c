/* cache.c - a list of values under a lock. */
#define _POSIX_C_SOURCE 200809L

#include "core/cache.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    struct entry *next;
    pen_memo_key key;
    void *value;
};

struct pen_memo {
    struct entry *first;
    pthread_mutex_t lock;
};

pen_status memo_new(pen_run *run, pen_memo **out)
{
    *out = pen_keep(run, 1, sizeof **out);
    if (!*out)
        return PEN_NO_MEMORY;
    pthread_mutex_init(&(*out)->lock, NULL);
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
    pthread_mutex_destroy(&memo->lock);
    free(memo);
}

static pen_status add(pen_run *run, pen_memo *memo, const pen_memo_key *key, pen_make_fn make,
                      void *context, const void **value)
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

pen_status memo_get(pen_run *run, pen_memo *memo, const pen_memo_key *key, pen_make_fn make,
                    void *context, const void **value)
{
    const struct entry *entry;
    pen_status status = PEN_OK;

    pthread_mutex_lock(&memo->lock);
    for (entry = memo->first; entry && memcmp(&entry->key, key, sizeof *key) != 0;
         entry = entry->next)
        continue;
    if (entry)
        *value = entry->value;
    else
        status = add(run, memo, key, make, context, value);
    pthread_mutex_unlock(&memo->lock);
    return status;
}
