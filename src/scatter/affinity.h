/* affinity.h - affinities of the rows of a class, and the scatter of near rows that they make.
 *
 *   A_ij = exp(-|x_i - x_j|^2 / (sigma_i sigma_j)), or where sigma_i sigma_j = 0,
 *       1 for equal rows and 0 for others
 *   D_i  = sum_{j in c} A_ij, with j = i
 *   G_c  = 1/2 sum_{i,j in c} A_ij (x_i - x_j)(x_i - x_j)'
 */
#ifndef PEN_AFFINITY_H
#define PEN_AFFINITY_H

#include "scatter/class_scatter.h"

typedef struct pen_affinity {
    pen_classes classes;
    double *sigma; /* [labelled] for the caller to fill */
    /* [labelled] or NULL: A_ij = 0 where |x_i - x_j|^2 is more than reach2 of i or of j. With one
     * class */
    const double *reach2;
    double *degree; /* [labelled] D_i, made by pen_affinity_scatter */
} pen_affinity;

pen_status pen_affinity_open(pen_run *run, const pen_rows *x, pen_affinity *out);

/* C += weight sum_c 1/n_c G_c, and unless B is NULL, with S_c the scatter of class c, B += weight
 * sum_c ratio_c 1/n_c (n_c S_c - G_c).
 * Cost: 2 n_c^2 d flops a class and 4 n' d^2, 6 n' d^2 with B; memory: blocks of rows, and 16
 * numbers a row. */
pen_status pen_affinity_scatter(pen_run *run, double weight, pen_affinity *affinity,
                                const double *ratio, pen_sym *B, pen_sym *C);

#endif
