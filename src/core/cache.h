/* cache.h - what several calls over the same rows need alike: made by the first, found by the
 * others.
 *
 * A run may have a cache; rows that have a key (pen_rows.key) are the same in all calls where the
 * key is the same. Values are made while others wait, and live as long as the cache. */
#ifndef PEN_CACHE_H
#define PEN_CACHE_H

#include "core/run.h"

typedef struct pen_cache pen_cache;

/* Free with pen_cache_free (NULL is fine). */
pen_status pen_cache_new(pen_run *run, pen_cache **out);
void pen_cache_free(pen_cache *cache);

/* What a value is: which rows, what of them, with what number. All bytes are compared, so clear it
 * first. */
typedef struct pen_cache_key {
    const void *values; /* of the rows as they were given */
    int64_t normalize, scale;
    double pca;
    int64_t kind;
    double number;
} pen_cache_key;

enum { PEN_CACHE_NEIGHBORS, PEN_CACHE_REDUCTION };

/* Makes a value, in memory from pen_keep. */
typedef pen_status (*pen_make_fn)(pen_run *run, void *context, void **value);

/* The value under a key, made if there is none yet; failures are not kept. */
pen_status pen_cache_get(pen_run *run, pen_cache *cache, const pen_cache_key *key, pen_make_fn make,
                         void *context, const void **value);

#endif
