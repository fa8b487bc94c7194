/* cache.h - results that several calls over the same rows share: computed by the first call, reused
 * by the others.
 *
 * A run may have a cache. Rows with equal keys (pen_view.key) are the same rows in every call: they
 * stay where they are, or lie in the cache themselves. While one call computes a value, those that
 * want it wait; others go on. Values live as long as the cache. */
#ifndef PEN_CACHE_H
#define PEN_CACHE_H

#include "core/array.h"

typedef struct pen_cache pen_cache;

/* A cache that several calls share; NULL: out of memory. */
pen_cache *pen_cache_new(void);
void pen_cache_free(pen_cache *cache);

/* Bytes of all values. */
size_t pen_cache_memory(pen_cache *cache);

/* Gives the call a cache of its own, which ends with it. */
pen_status pen_cache_open(pen_run *run);

/* Identifies a value: the rows, the kind of result, its numeric argument. All bytes are
 * compared. */
typedef struct pen_cache_key {
    const void *values;   /* of the rows as given */
    int64_t stride, step; /* likewise */
    const void *starts;   /* likewise; values may be NULL if there are no entries */
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
    int64_t kind, precision; /* of blocks, where they decide */
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

/* A key of rows x and a kind of result, in scratch memory; nothing else is set. NULL: the run has
 * no cache. */
pen_status pen_cache_key_new(pen_run *run, const pen_array *x, int64_t kind, pen_cache_key **out);

/* An array that a value points to: where the pointer is in it, and the bytes of the array. */
typedef struct pen_cache_part {
    size_t at;
    int64_t bytes;
} pen_cache_part;

/* A value in scratch memory: an object, and the arrays that it points to; pointers may be NULL. */
enum { PEN_MOST_PARTS = 8, PEN_CACHE_BOUNDARY = 64 /* where arrays lie */ };
typedef struct pen_made {
    const void *object;
    int64_t size, count;
    pen_cache_part arrays[PEN_MOST_PARTS];
} pen_made;

/* Computes a value; more of the scratch memory is given back. */
typedef pen_status (*pen_make_fn)(pen_run *run, void *context, pen_made *out);

/* The value stored under a key in the cache of the run, computed if there is none yet; in computing
 * it others may be asked for. What is stored is a copy, whose arrays lie on boundaries of 64 bytes
 * as in scratch memory, on which rounding in BLAS kernels may depend. Failures are not stored; a
 * cut that was noted (pen_note_cut) is noted again for each call. key NULL: computed, in scratch
 * memory. PEN_CANCELLED: while another call was computing it. */
pen_status pen_cache_get(pen_run *run, const pen_cache_key *key, pen_make_fn make, void *context,
                         const void **value);

/* For values that calls add to, while they hold the lock. */
void pen_cache_lock(pen_cache *cache);
void pen_cache_unlock(pen_cache *cache);

/* *out: the values whose keys are of rows x, or of arrays in such values, as *size bytes in scratch
 * memory, after as many bytes as `before`, a multiple of 64, and before `after`: zeros. */
pen_status pen_cache_write(pen_run *run, pen_cache *cache, const pen_array *x, int64_t before,
                           int64_t after, char **out, int64_t *size);

/* Memory of an empty cache for such values, from a boundary of 64 on; and they are there: bytes
 * [size]. PEN_BAD_DATA, without a message: sizes and references that cannot be. */
pen_status pen_cache_reserve(pen_run *run, pen_cache *cache, int64_t size, char **out);
pen_status pen_cache_read(pen_run *run, pen_cache *cache, const pen_array *x, char *bytes,
                          int64_t size);

#endif
