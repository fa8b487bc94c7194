/* cache.c - a linked list of values protected by a lock. */
#define _POSIX_C_SOURCE 200809L

#include "core/cache.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    struct entry *next;
    pen_cache_key key;
    void *value;
};

struct pen_cache {
    struct entry *first;
    pthread_mutex_t lock;
};

static void drop(pen_cache *cache)
{
    while (cache->first) {
        struct entry *const entry = cache->first;
        cache->first = entry->next;
        free(entry->value);
        free(entry);
    }
    pthread_mutex_destroy(&cache->lock);
    free(cache);
}

pen_status pen_cache_open(pen_run *run)
{
    pen_cache *const cache = pen_keep(run, 1, sizeof *cache);

    if (!cache)
        return PEN_NO_MEMORY;
    pthread_mutex_init(&cache->lock, NULL);
    pen_run_share(run, cache, drop);
    return PEN_OK;
}

pen_status pen_cache_key_new(pen_run *run, const pen_array *x, int64_t kind, pen_cache_key **out)
{
    PEN_TRY(PEN_FILLED(run, *out, 1, 0));
    (*out)->values = x->values;
    (*out)->stride = x->stride;
    (*out)->step = pen_step(x);
    (*out)->starts = x->starts;
    (*out)->kind = kind;
    return PEN_OK;
}

/* Each array is aligned as the block is. */
static int64_t room(int64_t bytes)
{
    return pen_times(pen_plus(bytes, 63) / 64, 64);
}

static const void *pointer_in(const void *object, const pen_cache_part *part)
{
    const void *pointer;

    memcpy(&pointer, (const char *)object + part->at, sizeof pointer);
    return pointer;
}

pen_status pen_cache_pack(pen_run *run, const void *object, int64_t size, int count,
                          const pen_cache_part *arrays, void **value)
{
    int64_t all = room(size);
    char *next;

    for (int i = 0; i < count; i++)
        all = pen_plus(all, pointer_in(object, &arrays[i]) ? room(arrays[i].bytes) : 0);
    PEN_TRY(PEN_KEEP(run, next, all));
    *value = memcpy(next, object, (size_t)size);
    next += room(size);
    for (int i = 0; i < count; i++) {
        const void *const from = pointer_in(object, &arrays[i]);
        if (!from)
            continue;
        memcpy(next, from, (size_t)arrays[i].bytes);
        memcpy((char *)*value + arrays[i].at, &next, sizeof next);
        next += room(arrays[i].bytes);
    }
    return PEN_OK;
}

static pen_status make_entry(pen_run *run, pen_cache *cache, const pen_cache_key *key,
                             pen_make_fn make, void *context, const void **value)
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
    entry->next = cache->first;
    cache->first = entry;
    *value = entry->value;
    return PEN_OK;
}

pen_status pen_cache_get(pen_run *run, pen_cache *cache, const pen_cache_key *key, pen_make_fn make,
                         void *context, const void **value)
{
    const struct entry *entry;
    pen_status status = PEN_OK;

    pthread_mutex_lock(&cache->lock);
    for (entry = cache->first; entry && memcmp(&entry->key, key, sizeof *key) != 0;
         entry = entry->next)
        continue;
    if (entry)
        *value = entry->value;
    else
        status = make_entry(run, cache, key, make, context, value);
    pthread_mutex_unlock(&cache->lock);
    return status;
}
