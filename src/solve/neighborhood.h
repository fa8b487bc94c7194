/* neighborhood.h - two columns that bring rows of a class near each other: neighborhood components
 * analysis.
 *
 *   maximize  sum_i sum_{j of the class of i} p_ij,   p_ij ~ exp(-|A'(z_i - z_j)|^2), j not i
 *
 * Goldberger, Roweis, Hinton, Salakhutdinov: Neighbourhood components analysis. Advances in Neural
 * Information Processing Systems 17 (2004) 513-520. */
#ifndef PEN_NEIGHBORHOOD_H
#define PEN_NEIGHBORHOOD_H

#include "core/run.h"

/* The rows z [n x k] and their classes. */
typedef struct pen_neighborhood {
    int64_t n, k;
    const double *z;
    const int32_t *classes;
} pen_neighborhood;

/* Improves columns [k x 2]. First scales each to deviation 1 within classes, which sets the scale
 * of nearness. Then runs gradient ascent in coordinates where the scatter within classes is I, with
 * steps of Barzilai and Borwein, shorter if the sum falls, for this number of evaluations.
 * Cost: per evaluation n^2 exponentials and n k. Memory: k^2 numbers and a few per row. */
pen_status pen_neighborhood_improve(pen_run *run, const pen_neighborhood *rows, int evaluations,
                                    double *columns);

#endif
