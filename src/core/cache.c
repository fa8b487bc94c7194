/* cache.c - a linked list of values protected by a lock. */
#define _POSIX_C_SOURCE 200809L

#include "core/cache.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct entry {
    struct entry *next;
    pen_cache_key key;
    void *memory;
    int64_t bytes;
    void *value; /* in the memory; NULL: a call is computing it */
    pen_cut cut;
};

enum {
    BOUNDARY = 64,
    WAIT_NANOSECONDS = 50000000 /* between looks at whether the caller stops the call */
};

struct pen_cache {
    struct entry *first;
    pthread_mutex_t lock;
    pthread_cond_t changed;
};

pen_cache *pen_cache_new(void)
{
    pen_cache *const cache = calloc(1, sizeof *cache);

    if (!cache)
        return NULL;
    pthread_mutex_init(&cache->lock, NULL);
    pthread_cond_init(&cache->changed, NULL);
    return cache;
}

void pen_cache_free(pen_cache *cache)
{
    while (cache && cache->first) {
        struct entry *const entry = cache->first;
        cache->first = entry->next;
        free(entry->memory);
        free(entry);
    }
    if (!cache)
        return;
    pthread_cond_destroy(&cache->changed);
    pthread_mutex_destroy(&cache->lock);
    free(cache);
}

size_t pen_cache_memory(pen_cache *cache)
{
    size_t bytes = 0;

    pthread_mutex_lock(&cache->lock);
    for (const struct entry *entry = cache->first; entry; entry = entry->next)
        bytes += sizeof *entry + (size_t)entry->bytes;
    pthread_mutex_unlock(&cache->lock);
    return bytes;
}

pen_status pen_cache_open(pen_run *run)
{
    pen_cache *const cache = pen_cache_new();

    PEN_REQUIRE(run, cache, PEN_NO_MEMORY, "out of memory");
    pen_run_share(run, cache, pen_cache_free);
    return PEN_OK;
}

pen_status pen_cache_key_new(pen_run *run, const pen_array *x, int64_t kind, pen_cache_key **out)
{
    *out = NULL;
    if (!pen_run_cache(run))
        return PEN_OK;
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
    return pen_times(pen_plus(bytes, BOUNDARY - 1) / BOUNDARY, BOUNDARY);
}

static const void *pointer_in(const void *object, const pen_cache_part *part)
{
    const void *pointer;

    memcpy(&pointer, (const char *)object + part->at, sizeof pointer);
    return pointer;
}

/* Copies what was made into one block. */
static pen_status pack(pen_run *run, const pen_made *made, struct entry *entry)
{
    int64_t all = pen_plus(BOUNDARY, room(made->size));
    char *next;

    for (int i = 0; i < made->count; i++)
        if (pointer_in(made->object, &made->arrays[i]))
            all = pen_plus(all, room(made->arrays[i].bytes));
    PEN_TRY(PEN_KEEP(run, next, all));
    entry->memory = next;
    entry->bytes = all;
    next += (BOUNDARY - (uintptr_t)next % BOUNDARY) % BOUNDARY;
    entry->value = memcpy(next, made->object, (size_t)made->size);
    next += room(made->size);
    for (int i = 0; i < made->count; i++) {
        const void *const from = pointer_in(made->object, &made->arrays[i]);
        if (!from)
            continue;
        memcpy(next, from, (size_t)made->arrays[i].bytes);
        memcpy((char *)entry->value + made->arrays[i].at, &next, sizeof next);
        next += room(made->arrays[i].bytes);
    }
    return PEN_OK;
}

void pen_cache_lock(pen_cache *cache)
{
    pthread_mutex_lock(&cache->lock);
}

void pen_cache_unlock(pen_cache *cache)
{
    pthread_mutex_unlock(&cache->lock);
}

static struct entry *find(const pen_cache *cache, const pen_cache_key *key)
{
    struct entry *entry = cache->first;

    while (entry && memcmp(&entry->key, key, sizeof *key) != 0)
        entry = entry->next;
    return entry;
}

/* Until another call has computed an entry, or for a moment. Without the lock the caller may stop
 * the call. */
static pen_status wait_a_moment(pen_run *run, pen_cache *cache)
{
    struct timespec end;

    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_nsec += WAIT_NANOSECONDS;
    end.tv_sec += end.tv_nsec / 1000000000;
    end.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&cache->changed, &cache->lock, &end);
    pthread_mutex_unlock(&cache->lock);
    const pen_status status = pen_poll(run);
    pthread_mutex_lock(&cache->lock);
    return status;
}

/* *out: the entry of a key: one that is not being computed, or a new one, which is. */
static pen_status claim(pen_run *run, pen_cache *cache, const pen_cache_key *key,
                        struct entry **out)
{
    while ((*out = find(cache, key)) && !(*out)->value)
        PEN_TRY(wait_a_moment(run, cache));
    if (*out)
        return PEN_OK;
    *out = calloc(1, sizeof **out);
    PEN_REQUIRE(run, *out, PEN_NO_MEMORY, "out of memory");
    (*out)->key = *key;
    (*out)->next = cache->first;
    cache->first = *out;
    return PEN_OK;
}

static void forget(pen_cache *cache, struct entry *entry)
{
    struct entry **at = &cache->first;

    while (*at != entry)
        at = &(*at)->next;
    *at = entry->next;
    free(entry);
}

/* Computes a claimed entry, without the lock. */
static pen_status compute(pen_run *run, pen_cache *cache, struct entry *entry, pen_make_fn make,
                          void *context)
{
    const pen_cut before = pen_cut_take(run);
    const pen_mark_t mark = pen_mark(run);
    struct entry own = { .value = NULL };
    pen_made made;

    pthread_mutex_unlock(&cache->lock);
    pen_status status = make(run, context, &made);
    if (status == PEN_OK)
        status = pack(run, &made, &own);
    pen_release(run, mark);
    own.cut = pen_cut_take(run);
    pen_note_cut(run, before.rank, before.tolerance);
    pen_note_cut(run, own.cut.rank, own.cut.tolerance);
    pthread_mutex_lock(&cache->lock);
    entry->memory = own.memory;
    entry->bytes = own.bytes;
    entry->value = own.value;
    entry->cut = own.cut;
    if (status != PEN_OK)
        forget(cache, entry);
    pthread_cond_broadcast(&cache->changed);
    return status;
}

static pen_status get(pen_run *run, const pen_cache_key *key, pen_make_fn make, void *context,
                      const void **value)
{
    pen_cache *const cache = pen_run_cache(run);
    struct entry *entry;

    PEN_TRY(claim(run, cache, key, &entry));
    if (!entry->value)
        PEN_TRY(compute(run, cache, entry, make, context));
    else
        pen_note_cut(run, entry->cut.rank, entry->cut.tolerance);
    *value = entry->value;
    return PEN_OK;
}

pen_status pen_cache_get(pen_run *run, const pen_cache_key *key, pen_make_fn make, void *context,
                         const void **value)
{
    pen_made made;

    if (!key) {
        PEN_TRY(make(run, context, &made));
        *value = made.object;
        return PEN_OK;
    }
    pen_cache_lock(pen_run_cache(run));
    const pen_status status = get(run, key, make, context, value);
    pen_cache_unlock(pen_run_cache(run));
    return status;
}
