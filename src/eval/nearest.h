/* nearest.h - classes predicted by the nearest known rows, in the first 1, 2, ... dimensions of one
 * embedding. */
#ifndef PEN_NEAREST_H
#define PEN_NEAREST_H

#include "core/run.h"

typedef struct pen_vote {
    int64_t d;                    /* dimensions */
    int64_t known, hidden;        /* how many rows */
    const double *known_rows;     /* [known x d] */
    const double *hidden_rows;    /* [hidden x d] */
    const int32_t *known_classes; /* [known] 0 .. classes - 1 */
    /* [hidden] what they are; one that no known row has is never predicted. Of no use to
     * pen_nearest_classes. */
    const int32_t *hidden_classes;
    int64_t classes;
} pen_vote;

/* correct[r]: how many hidden rows get their class from the majority of their k nearest known rows
 * in dimensions 0 .. r; k more than there are: all of them. Of equally far rows the lower counts as
 * nearer, of equal majorities that of the nearest row. Cost: hidden known d (2 + log k for k >
 * 1). */
pen_status pen_nearest_correct(pen_run *run, const pen_vote *trial, int64_t k, int64_t *correct);

/* predicted [hidden]: the class of each hidden row by its nearest known rows in all dimensions,
 * likewise. */
pen_status pen_nearest_classes(pen_run *run, const pen_vote *trial, int64_t k, int32_t *predicted);

/* Coordinates less the mean of the known rows, over their standard deviation, of both; one whose
 * deviation is at most 1e-12 of the largest is only centered. */
void pen_nearest_standardize(int64_t d, int64_t known, double *known_rows, int64_t hidden,
                             double *hidden_rows);

#endif
