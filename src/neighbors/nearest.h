/* nearest.h - nearest neighbor classification of held-out rows by known rows, in the first 1, 2, ..
 * dimensions of an embedding. */
#ifndef PEN_NEAREST_H
#define PEN_NEAREST_H

#include "core/run.h"

typedef struct pen_vote {
    int64_t d;                    /* dimensions */
    int64_t known, hidden;        /* the numbers of rows */
    const double *known_rows;     /* [known x d] */
    const double *hidden_rows;    /* [hidden x d] */
    const int32_t *known_classes; /* [known] 0 .. classes - 1 */
    /* [hidden] true classes; one that no known row has is never predicted. Not used by
     * pen_nearest_classes. */
    const int32_t *hidden_classes;
    int64_t classes;
} pen_vote;

/* correct[r]: the number of hidden rows correctly classified by the majority of their k nearest
 * known rows in dimensions 0 .. r; if k is larger than `known`, all known rows vote. Equal
 * distances: the lower row is nearer. Equal majorities: the class of the nearest row wins. Cost:
 * hidden known d (2 + log k for k > 1). */
pen_status pen_nearest_correct(pen_run *run, const pen_vote *trial, int64_t k, int64_t *correct);

/* predicted [hidden]: the class of each hidden row, by the same vote in all dimensions. */
pen_status pen_nearest_classes(pen_run *run, const pen_vote *trial, int64_t k, int32_t *predicted);

/* Standardize known and hidden rows by the mean and standard deviation of the known ones. A
 * dimension whose deviation is at most 1e-12 of the largest is only centered. */
void pen_nearest_standardize(int64_t d, int64_t known, double *known_rows, int64_t hidden,
                             double *hidden_rows);

#endif
