/* sort.h - sort integers, positive numbers and members of groups; selection; orders for qsort. */
#ifndef PEN_SORT_H
#define PEN_SORT_H

#include "core/run.h"

/* Sorts keys [count], all at most `most`. Scratch memory: the size of the keys. Reports progress as
 * `phase`. */
pen_status pen_sort_keys(pen_run *run, const char *phase, uint64_t *keys, int64_t count,
                         uint64_t most);

/* Sorts 0 .. count - 1 by their groups of[i] < groups, ascending within each; negative groups are
 * left out. Group g becomes order[starts[g] .. starts[g + 1]), starts [groups + 1]. */
void pen_sort_groups(int64_t count, const int64_t *of, int64_t groups, int64_t *starts,
                     int64_t *order);

/* Sorts the positive values, ascending, into *out, scratch memory as large as the values. */
pen_status pen_sort_positive(pen_run *run, const char *phase, int64_t count, const double *values,
                             double **out, int64_t *kept);

/* The mean of values [count] >= 0, each capped at 100 times the 90th percentile of the positive
 * values. It differs from the plain mean only if a few extreme values dominate. */
pen_status pen_mean_of_most(pen_run *run, int64_t count, const double *values, double *mean);

/* The k-th smallest (from 0) of values [count], k < count; reorders the values. */
double pen_select_kth(double *values, int64_t count, int64_t k);

/* For qsort and bsearch: ascending numbers, or structs that begin with a number, or with two
 * integers, the second of which breaks ties. */
int pen_by_double(const void *a, const void *b);
int pen_by_int32(const void *a, const void *b);
int pen_by_int64(const void *a, const void *b);
int pen_by_two_int64(const void *a, const void *b);

#endif
