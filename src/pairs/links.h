/* links.h - sets of pairs of rows.
 *
 * A pair {i, j}, i < j, of n positions is stored as a key in a sorted list or, if a bit for every
 * possible pair takes less memory than the list, as a bit. Pairs are added in any order;
 * pen_links_sort removes duplicates, and pen_links_index makes the pairs of a position
 * accessible. A set with weights is always a list. */
#ifndef PEN_LINKS_H
#define PEN_LINKS_H

#include "core/run.h"

typedef struct pen_links {
    int64_t n;
    /* number of pairs: with duplicates before pen_links_sort, distinct after it */
    int64_t count;
    int64_t repeated; /* number of duplicates */
    uint64_t *keys;   /* [count] i n + j, ascending; only j after pen_links_index. NULL: bits */
    uint64_t *bits;   /* row i starts at bit_row(i), with bit j % 64 of word j / 64 */
    double *weights;  /* [count] of the keys, > 0; NULL: all 1 */
    /* number of pairs added with different weights, which are removed; the key of the first */
    int64_t unequal;
    uint64_t unequal_key;
    /* [n + 1] number of pairs before those of position i; NULL before pen_links_index */
    const int64_t *first;
} pen_links;

/* 1 if a bit matrix takes less memory than a list for this number of pairs. */
int pen_links_are_dense(int64_t n, int64_t count);

/* Creates an empty set of pairs of n < 2^32 positions, with room for `room` additions, in scratch
 * memory. */
pen_status pen_links_new(pen_run *run, int64_t n, int64_t room, int dense, pen_links *out);

/* Adds {i, j}, i != j, with a weight > 0, which a set without weights ignores. */
void pen_links_add(pen_links *links, int64_t i, int64_t j, double weight);

/* The weight of pair number k, 0 <= k < count, in ascending order. */
static inline double pen_links_weight(const pen_links *links, int64_t k)
{
    return links->weights ? links->weights[k] : 1;
}

/* The sum of the weights. */
double pen_links_total(const pen_links *links);

/* Sorts the pairs, removes duplicates and counts them; pairs with different weights are removed.
 * Scratch memory: the size of the list. */
pen_status pen_links_sort(pen_run *run, pen_links *links);

/* Calls `keep` for every pair, in ascending order, and removes the pairs for which it returns 0.
 * Before pen_links_index. */
typedef int (*pen_keep_fn)(void *context, int64_t i, int64_t j, double weight);
void pen_links_filter(pen_links *links, pen_keep_fn keep, void *context);

/* Removes from both sets the pairs that are in both. Returns their number, and the first one in *i
 * and *j. Both sets dense or neither, sorted, before pen_links_index. */
int64_t pen_links_remove_common(pen_links *a, pen_links *b, int64_t *i, int64_t *j);

pen_status pen_links_index(pen_run *run, pen_links *links);

/* Writes the positions j of pairs {i, j} with i < j, from <= j < to, ascending, into others.
 * Returns their number. After pen_links_index. */
int64_t pen_links_of(const pen_links *links, int64_t i, int64_t from, int64_t to, int64_t *others);

/* Writes up to `count` of all positions j > i paired with i, starting with number `skip`, into
 * others. Returns their number. */
int64_t pen_links_slice(const pen_links *links, int64_t i, int64_t skip, int64_t count,
                        int64_t *others);

/* Extends the range *low .. *high to include the positions from <= j < to of pairs {i, j}, i < j.
 * After pen_links_index. */
void pen_links_span(const pen_links *links, int64_t i, int64_t from, int64_t to, int64_t *low,
                    int64_t *high);

/* degree[i] += the sum of the weights of the pairs that contain position i. After
 * pen_links_index. */
void pen_links_add_degrees(const pen_links *links, double *degree);

#endif
