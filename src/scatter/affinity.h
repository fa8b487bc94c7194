/* affinity.h - affinities between the rows of a class, and the scatter they define.
 *
 *   A_ij = exp(-|x_i - x_j|^2 / (sigma_i sigma_j));
 *          if sigma_i sigma_j = 0: 1 for equal rows, 0 for others; or of a binary graph 1 or 0
 *   D_i  = sum_{j in c} A_ij, including j = i
 *   G_c  = 1/2 sum_{i,j in c} A_ij (x_i - x_j)(x_i - x_j)' */
#ifndef PEN_AFFINITY_H
#define PEN_AFFINITY_H

#include "scatter/class_scatter.h"

typedef struct pen_affinity {
    pen_classes classes;
    double *sigma; /* [labelled] set by the caller */
    /* [labelled] or NULL: A_ij = 0 if |x_i - x_j|^2 exceeds reach2 of i or of j */
    const double *reach2;
    /* 1: A_ij = 1 if |x_i - x_j|^2 is within reach2 of i or of j, otherwise 0, whatever sigma is */
    int binary;
    int single;     /* 1: blocks of the rows are in single precision, and distances may be */
    double *degree; /* [labelled] D_i, computed by pen_affinity_scatter */
} pen_affinity;

pen_status pen_affinity_open(pen_run *run, const pen_view *x, pen_affinity *out);

/* Adds, with S_c the scatter of class c, and skipping a line with weight 0,
 *
 *   C += within sum_c 1/n_c G_c
 *   B += between sum_c ratio_c 1/n_c (n_c S_c - G_c)
 *
 * Cost: 2 n_c^2 d flops for each class, half of them in single precision if blocks are, and 2 n'
 * d^2 for each of B and C, 3 n' d^2 in classes of over 4096 rows; memory: blocks of rows, and 16
 * numbers for each row. */
pen_status pen_affinity_scatter(pen_run *run, double between, double within, pen_affinity *affinity,
                                const double *ratio, pen_sym *B, pen_sym *C);

#endif
