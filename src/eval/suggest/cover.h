/* cover.h - chooses the places whose labels cover most of the other places.
 *
 * A label at place j covers 1 / (1 + |z_i - z_j|^2 / r^2) of place i, and only the nearest label
 * counts:
 *
 *   told(S) = sum_i weight_i max_{j in S} 1 / (1 + |z_i - z_j|^2 / r^2)
 *
 * Places are added one by one, always the one that adds most. Every label should cover its part of
 * the data: r is the median, over places, of the radius that contains 1 / (1 + |S|) of all weight,
 * S the labels so far. So one formula finds places of large weight that are typical of their
 * neighborhood, and apart from each other and from known labels. A place far from all others covers
 * only itself.
 * The greedy choice of a facility location: Nemhauser, Wolsey, Fisher: Mathematical Programming 14
 * (1978) 265-294. */
#ifndef PEN_COVER_H
#define PEN_COVER_H

#include "core/run.h"

/* Distinct places to choose from. */
typedef struct pen_places {
    int64_t count, d;
    const double *z;      /* [count x d] */
    const double *weight; /* [count] > 0 */
    const int64_t *row;   /* [count] among equally good places, the lowest row is chosen */
    double near2;         /* of two places within this squared distance, at most one is chosen */
} pen_places;

typedef struct pen_cover {
    pen_places places;
    double *distance2; /* [count x count] */
    double *known2;    /* [count] squared distance to the nearest label; infinite: no label */
    double reach2;     /* r^2 */
    double *covered;   /* [count] covered so far, in 0 .. 1 */
    char *open;        /* [count] 1: may be chosen */
    int64_t known;     /* |S| */
    double total;      /* sum of all weights */
    int64_t sampled;   /* places 0 .. sampled - 1 decide the median radius */
    double *radius2;   /* [sampled x count] squared distances from each, ascending */
    double *mass;      /* [sampled x count] the weight within them */
    double *told;      /* [count] the gain of each place */
} pen_cover;

/* Begin with the labels at known [labels x d]. Cost: count d (count + labels) and 256 count log
 * count; memory: count^2 doubles. */
pen_status pen_cover_open(pen_run *run, const pen_places *places, int64_t labels,
                          const double *known, pen_cover *out);

/* The next place, and the fraction of all weight that it adds; -1: no place is open. Cost:
 * count^2. */
pen_status pen_cover_next(pen_run *run, pen_cover *cover, int64_t *place, double *share);

#endif
