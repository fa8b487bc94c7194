/* cache.h - results that several calls over the same rows share: computed by the first call, reused
 * by the others.
 *
 * A run may have a cache. Equal keys (pen_view.key) mean the same rows in every call: the rows stay
 * in place or are in the cache. While one call computes a value, calls that need it wait. Values
 * live as long as the cache. */
#ifndef PEN_CACHE_H
#define PEN_CACHE_H

#include "core/array.h"

typedef struct pen_cache pen_cache;

/* A cache that several calls share; NULL: out of memory. */
pen_cache *pen_cache_new(void);
void pen_cache_free(pen_cache *cache);

/* Bytes of all values. */
size_t pen_cache_memory(pen_cache *cache);

/* Gives the call a private cache, freed when the call ends. */
pen_status pen_cache_open(pen_run *run);

/* Identifies a value: the rows, the kind of result, its numeric argument. All bytes are
 * compared. */
typedef struct pen_cache_key {
    const void *values;   /* of the given rows */
    int64_t stride, step; /* of the given rows */
    const void *starts;   /* of the given rows; without entries, values may be NULL */
    int64_t normalize, scale;
    struct {
        int64_t kind, degree, landmarks, choice, seed;
        double gamma;
    } kernel;
    double pca;
    int64_t pca_most, pca_unit, graded;
    int64_t sourced; /* 1: coordinates whose distances are those of the rows themselves */
    struct {
        int64_t log1p, idf, snv, derivative, select;
        double total;
    } steps;
    int64_t kind, precision; /* of blocks, if they matter */
    double number;
    struct {
        int64_t neighbors, weights;
        double heat;
    } graph;
} pen_cache_key;

enum {
    PEN_CACHE_NEIGHBORS,
    PEN_CACHE_REDUCTION,
    PEN_CACHE_KERNEL,
    PEN_CACHE_ROW_STEPS,
    PEN_CACHE_COLUMNS,
    PEN_CACHE_STATISTICS,
    PEN_CACHE_EXTREMES,
    PEN_CACHE_ORDER,
    PEN_CACHE_DIGESTS,
    PEN_CACHE_SCATTER,
    PEN_CACHE_AXES,
    PEN_CACHE_REACH,
    PEN_CACHE_AFFINITIES,
    PEN_CACHE_AFFINITY_SCATTER
};

/* A key of rows x and a kind of result, in scratch memory, with all else zero. NULL: the run has no
 * cache. */
pen_status pen_cache_key_new(pen_run *run, const pen_array *x, int64_t kind, pen_cache_key **out);

/* An array that a value points to: the offset of the pointer, and the bytes of the array. */
typedef struct pen_cache_part {
    size_t at;
    int64_t bytes;
} pen_cache_part;

/* A value in scratch memory: an object, and the arrays that it points to; pointers may be NULL. */
enum { PEN_MOST_PARTS = 8, PEN_CACHE_BOUNDARY = 64 /* alignment of arrays */ };
typedef struct pen_made {
    const void *object;
    int64_t size, count;
    pen_cache_part arrays[PEN_MOST_PARTS];
} pen_made;

/* Computes a value in scratch memory; the caller releases all other memory. */
typedef pen_status (*pen_make_fn)(pen_run *run, void *context, pen_made *out);

/* The value stored under a key in the run's cache, computed if it is absent; `make` may get other
 * values. The cache stores a copy. Its arrays are aligned to 64 bytes, like scratch memory, because
 * rounding in BLAS kernels may depend on alignment. Failures are not stored; a noted cut
 * (pen_note_cut) is noted again for each call. key NULL: computed in scratch memory. PEN_CANCELLED:
 * stopped while another call was computing it. */
pen_status pen_cache_get(pen_run *run, const pen_cache_key *key, pen_make_fn make, void *context,
                         const void **value);

/* For values that calls add to, while they hold the lock. */
void pen_cache_lock(pen_cache *cache);
void pen_cache_unlock(pen_cache *cache);

/* *out: the values whose keys refer to rows x or to arrays in such values, as *size bytes in
 * scratch memory. `before` zero bytes, a multiple of 64, come first, and `after` zero bytes
 * last. */
pen_status pen_cache_write(pen_run *run, pen_cache *cache, const pen_array *x, int64_t before,
                           int64_t after, char **out, int64_t *size);

/* Reserve aligned memory in an empty cache for such values, then make them its contents: bytes
 * [size]. PEN_BAD_DATA, without a message: impossible sizes or references. */
pen_status pen_cache_reserve(pen_run *run, pen_cache *cache, int64_t size, char **out);
pen_status pen_cache_read(pen_run *run, pen_cache *cache, const pen_array *x, char *bytes,
                          int64_t size);

#endif
