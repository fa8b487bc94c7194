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
    char *memory; /* NULL: part of the cache's memory */
    int64_t bytes;
    pen_made made; /* in that memory, object first; object NULL: being computed */
    pen_cut cut;
};

enum {
    BOUNDARY = PEN_CACHE_BOUNDARY,
    WAIT_NANOSECONDS = 50000000 /* between checks for cancellation */
};

struct pen_cache {
    struct entry *first; /* the oldest */
    char *memory;        /* for entries without their own, or NULL */
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
    free(cache->memory);
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

/* Each array has the alignment of the block. */
static int64_t room(int64_t bytes)
{
    return pen_times(pen_plus(bytes, BOUNDARY - 1) / BOUNDARY, BOUNDARY);
}

/* Bytes of an object and its arrays, each on a boundary. */
static int64_t room_of(const pen_made *made)
{
    int64_t all = room(made->size);

    for (int64_t i = 0; i < made->count; i++)
        all = pen_plus(all, room(made->arrays[i].bytes));
    return all;
}

/* The array that the object points to. */
static void *array_of(const pen_made *made, int64_t i)
{
    void *pointer;

    memcpy(&pointer, (const char *)made->object + made->arrays[i].at, sizeof pointer);
    return pointer;
}

/* Points an object at its arrays, which will follow it in memory. */
static void place_at(char *object, pen_made *made)
{
    char *next = object + room(made->size);

    made->object = object;
    for (int64_t i = 0; i < made->count; i++) {
        memcpy(object + made->arrays[i].at, &next, sizeof next);
        next += room(made->arrays[i].bytes);
    }
}

/* Copies an object with its arrays. */
static pen_made copy_to(char *to, const pen_made *from)
{
    pen_made made = *from;

    memcpy(to, from->object, (size_t)from->size);
    place_at(to, &made);
    for (int64_t i = 0; i < made.count; i++)
        memcpy(array_of(&made, i), array_of(from, i), (size_t)made.arrays[i].bytes);
    return made;
}

/* The first boundary in a block, which is one boundary longer than needed. */
static char *boundary_in(char *memory)
{
    return memory + (BOUNDARY - (uintptr_t)memory % BOUNDARY) % BOUNDARY;
}

/* Copies a computed value into one block, without NULL arrays. */
static pen_status pack(pen_run *run, const pen_made *given, struct entry *entry)
{
    pen_made made = { .object = given->object, .size = given->size };

    for (int64_t i = 0; i < given->count; i++)
        if (array_of(given, i))
            made.arrays[made.count++] = given->arrays[i];
    entry->bytes = pen_plus(BOUNDARY, room_of(&made));
    PEN_TRY(PEN_KEEP(run, entry->memory, entry->bytes));
    entry->made = copy_to(boundary_in(entry->memory), &made);
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

/* Waits briefly, or until another call has computed an entry. Then polls, without the lock, so that
 * the caller may stop the call. */
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

/* *out: the finished entry of a key, or a new entry, which this call must compute. */
static pen_status claim(pen_run *run, pen_cache *cache, const pen_cache_key *key,
                        struct entry **out)
{
    while ((*out = find(cache, key)) && !(*out)->made.object)
        PEN_TRY(wait_a_moment(run, cache));
    if (*out)
        return PEN_OK;
    *out = calloc(1, sizeof **out);
    PEN_REQUIRE(run, *out, PEN_NO_MEMORY, "out of memory");
    (*out)->key = *key;
    struct entry **end = &cache->first;
    while (*end)
        end = &(*end)->next;
    *end = *out;
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
    struct entry own = { .memory = NULL };
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
    own.next = entry->next;
    own.key = entry->key;
    *entry = own;
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
    if (!entry->made.object)
        PEN_TRY(compute(run, cache, entry, make, context));
    else
        pen_note_cut(run, entry->cut.rank, entry->cut.tolerance);
    *value = entry->made.object;
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

/* ---- as bytes ----
 *
 * A file has entries as in memory, each followed by its object. Pointers are 0; in keys they are
 * numbers of arrays of x or of earlier entries. */
enum { VALUES = 1, STARTS, OTHER, ARRAYS = PEN_MOST_PARTS };

static void to_number(const pen_array *x, const struct entry *first, const struct entry *end,
                      const void **pointer)
{
    uintptr_t number = OTHER;

    if (!*pointer || *pointer == x->values || *pointer == x->starts)
        number = !*pointer ? 0 : *pointer == x->values ? VALUES : STARTS;
    for (uintptr_t at = ARRAYS; first != end && number == OTHER; first = first->next) {
        for (int64_t i = 0; i < first->made.count; i++)
            if (array_of(&first->made, i) == *pointer)
                number = at + (uintptr_t)i;
        at += first->made.object ? ARRAYS : 0;
    }
    *pointer = (const void *)number;
}

/* The inverse. Returns 0 if there is no such array. */
static int to_pointer(const pen_array *x, struct entry *const *before, uintptr_t count,
                      const void **pointer)
{
    const uintptr_t number = (uintptr_t)*pointer, entry = number / ARRAYS - 1;
    const int64_t array = (int64_t)(number % ARRAYS);

    if (number < ARRAYS)
        *pointer = number == VALUES ? x->values : number == STARTS ? x->starts : NULL;
    else if (entry < count && array < before[entry]->made.count)
        *pointer = array_of(&before[entry]->made, array);
    else
        return 0;
    return number < OTHER || number >= ARRAYS;
}

/* Writes to zeroed bytes. */
static void write_entry(const struct entry *from, const struct entry *first, const pen_array *x,
                        char *to)
{
    struct entry *const entry = memcpy(to, from, sizeof *entry);

    to_number(x, first, from, &entry->key.values);
    to_number(x, first, from, &entry->key.starts);
    entry->next = NULL;
    entry->memory = NULL;
    entry->made.object = NULL;
    to += room(sizeof *entry);
    copy_to(to, &from->made);
    for (int64_t i = 0; i < from->made.count; i++)
        memset(to + from->made.arrays[i].at, 0, sizeof(void *));
}

pen_status pen_cache_write(pen_run *run, pen_cache *cache, const pen_array *x, int64_t before,
                           int64_t after, char **out, int64_t *size)
{
    const int64_t own = room(sizeof(struct entry));

    *size = pen_plus(before, after);
    pen_cache_lock(cache);
    for (const struct entry *e = cache->first; e; e = e->next)
        *size = pen_plus(*size, e->made.object ? own + room_of(&e->made) : 0);
    const pen_status status = PEN_FILLED(run, *out, *size, 0);
    for (const struct entry *e = cache->first; e && status == PEN_OK; e = e->next)
        if (e->made.object) {
            write_entry(e, cache->first, x, *out + before);
            before += own + room_of(&e->made);
        }
    pen_cache_unlock(cache);
    return status;
}

pen_status pen_cache_reserve(pen_run *run, pen_cache *cache, int64_t size, char **out)
{
    PEN_TRY(PEN_KEEP(run, cache->memory, pen_plus(size, BOUNDARY)));
    *out = boundary_in(cache->memory);
    return PEN_OK;
}

/* Do these bytes have room for such an object? */
static int is_possible(const pen_made *made, int64_t bytes)
{
    if (made->size < 0 || made->count < 0 || made->count > PEN_MOST_PARTS)
        return 0;
    for (int64_t i = 0; i < made->count; i++)
        if (made->arrays[i].bytes < 0 || made->size < (int64_t)sizeof(void *)
            || made->arrays[i].at > (size_t)made->size - sizeof(void *))
            return 0;
    return room_of(made) <= bytes;
}

pen_status pen_cache_read(pen_run *run, pen_cache *cache, const pen_array *x, char *bytes,
                          int64_t size)
{
    const int64_t own = room(sizeof(struct entry));
    struct entry **read, **end = &cache->first, *entry;

    PEN_TRY(PEN_NEW(run, read, size / own + 1));
    for (uintptr_t count = 0; size > 0; count++) {
        PEN_TRY(PEN_KEEP(run, entry, 1));
        *end = read[count] = entry;
        end = &entry->next;
        if (size < own)
            return PEN_BAD_DATA;
        memcpy(entry, bytes, sizeof *entry);
        entry->next = NULL;
        entry->memory = NULL;
        if (!is_possible(&entry->made, size - own)
            || !to_pointer(x, read, count, &entry->key.values)
            || !to_pointer(x, read, count, &entry->key.starts))
            return PEN_BAD_DATA;
        const int64_t length = room_of(&entry->made);
        place_at(bytes + own, &entry->made);
        entry->bytes = length + BOUNDARY;
        bytes += own + length;
        size -= own + length;
    }
    return PEN_OK;
}
