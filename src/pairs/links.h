/* links.h - sets of pairs of rows.
 *
 * A pair {i, j}, i < j, of n positions is a number of a sorted list or, where there are so many
 * pairs that a bit for each pair there could be takes less memory than the list, a bit. Pairs are
 * added in any order; pen_links_sort makes a set of them, pen_links_index lets the pairs of a
 * position be found. */
#ifndef PEN_LINKS_H
#define PEN_LINKS_H

#include "core/run.h"

typedef struct pen_links {
    int64_t n;
    /* pairs: as often as they were added before pen_links_sort, different ones behind it */
    int64_t count;
    int64_t repeated; /* how many were added again */
    uint64_t *keys;   /* [count] i n + j, ascending; pen_links_index leaves j. NULL: bits */
    uint64_t *bits;   /* of position i from bit_row(i) on, bit j % 64 of word j / 64 */
    /* [n + 1] how many pairs come before those of position i; NULL before pen_links_index */
    const int64_t *first;
} pen_links;

/* Is a bit for each pair the smaller way to hold so many pairs? */
int pen_links_are_dense(int64_t n, int64_t count);

/* An empty set of pairs of n < 2^32 positions, with room for `room` additions, in scratch
 * memory. */
pen_status pen_links_new(pen_run *run, int64_t n, int64_t room, int dense, pen_links *out);

/* Add {i, j}, i != j. */
void pen_links_add(pen_links *links, int64_t i, int64_t j);

/* Sort, and count what was added more than once. Needs as much scratch memory as the list. */
pen_status pen_links_sort(pen_run *run, pen_links *links);

/* Hand every pair to `keep`, in ascending order; those it answers 0 for are removed. Before
 * pen_links_index. */
typedef int (*pen_keep_fn)(void *context, int64_t i, int64_t j);
void pen_links_filter(pen_links *links, pen_keep_fn keep, void *context);

/* Remove from both the pairs that are in both; how many, and the first. Both dense or neither,
 * sorted, before pen_links_index. */
int64_t pen_links_part(pen_links *a, pen_links *b, int64_t *i, int64_t *j);

pen_status pen_links_index(pen_run *run, pen_links *links);

/* The positions j of pairs {i, j} with i < j, from <= j < to, ascending, into others; how many.
 * After pen_links_index. */
int64_t pen_links_of(const pen_links *links, int64_t i, int64_t from, int64_t to, int64_t *others);

/* `count` of those positions from the one with number `skip` on, into others; how many there
 * were. */
int64_t pen_links_some(const pen_links *links, int64_t i, int64_t skip, int64_t count,
                       int64_t *others);

/* Widen *low .. *high to the positions from <= j < to of pairs {i, j}, i < j. After
 * pen_links_index. */
void pen_links_span(const pen_links *links, int64_t i, int64_t from, int64_t to, int64_t *low,
                    int64_t *high);

/* degree[i] += how many pairs position i is in. After pen_links_index. */
void pen_links_add_degrees(const pen_links *links, double *degree);

#endif
