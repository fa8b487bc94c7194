/* cover.h - the places whose labels would tell most about the other places.
 *
 * A label at place j tells 1 / (1 + |z_i - z_j|^2 / r^2) about place i, and only the nearest label
 * counts:
 *
 *   told(S) = sum_i weight_i max_{j in S} 1 / (1 + |z_i - z_j|^2 / r^2)
 *
 * Places are added one by one, each the one that adds most. Every label is meant to tell about its
 * share of what there is: r is the median, over places, of the radius that holds 1 / (1 + |S|) of
 * all weight, S the labels so far. So one formula finds places of large weight that are typical of
 * their neighborhood, and apart from each other and from known ones. A place far from all others
 * tells about itself alone.
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
    const int64_t *row;   /* [count] of equally good places the lowest row is chosen */
    double near2; /* squared distance at which two places are the same: never both are chosen */
} pen_places;

typedef struct pen_cover {
    pen_places places;
    double *distance2; /* [count x count] */
    double *known2;    /* [count] squared distance to the nearest label; infinite: there is none */
    double reach2;     /* r^2 */
    double *covered;   /* [count] what is told already, in 0 .. 1 */
    char *open;        /* [count] 1: may be chosen */
    int64_t known;     /* |S| */
    double total;      /* sum of all weights */
    int64_t sampled;   /* places 0 .. sampled - 1 give the median radius */
    double *radius2;   /* [sampled x count] squared distances from each, ascending */
    double *mass;      /* [sampled x count] the weight within them */
    double *told;      /* [count] what the place would add */
} pen_cover;

/* Begin with the labels at known [labels x d]. Cost: count d (count + labels) and 256 count log
 * count; memory: count^2 doubles. */
pen_status pen_cover_open(pen_run *run, const pen_places *places, int64_t labels,
                          const double *known, pen_cover *out);

/* The next place, and the fraction of all weight that it adds; -1: no place is open any more. Cost:
 * count^2. */
pen_status pen_cover_next(pen_run *run, pen_cover *cover, int64_t *place, double *share);

#endif
