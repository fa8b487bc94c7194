/* class_columns.h - columns that separate classes, given probabilities of rows, followed by columns
 * of the remaining variation. */
#ifndef PEN_CLASS_COLUMNS_H
#define PEN_CLASS_COLUMNS_H

#include "core/run.h"

/* Means of classes in principal components. */
typedef struct pen_class_means {
    int64_t q, classes;
    const double *variance; /* [q] of all rows, which are centered */
    double *between; /* [classes x q] sqrt(n_c / n) (m_c - m): n_c the sum of the probabilities of
                      * class c, m_c the mean of the rows weighted by these, n and m of all rows */
} pen_class_means;

/* The means of classes from rows [count] of z [. x q] and p [. x classes]; rows NULL: the first
 * ones. */
pen_status pen_class_means_find(pen_run *run, int64_t count, const int64_t *rows, const double *z,
                                const double *p, int64_t q, int64_t classes, const double *variance,
                                pen_class_means *out);

/* W [most x q], k <= most rows, in units of the regular scatter within classes, S_w + ridge s I:
 * S_b = between'between, S_t = diag(variance), S_w = S_t - S_b, s the mean of the variances. First
 * at most classes - 1 directions, the eigenvectors v with the largest values of
 *
 *   S_b v = value (S_t + ridge s I) v,   v'(S_w + ridge s I) v = 1
 *
 * then the remaining variation: in the complement of these, the eigenvectors of S_w with the
 * largest values w, of length 1 / sqrt(w + ridge s), in the first 200 components, or in all if many
 * are wanted. So distances range from those of linear discriminants (ridge 0) to those of the rows
 * (a large ridge). Errors of pen_eig_indefinite. Cost: classes^2 q + 200^3 flops, or q^3. Fisher's
 * directions with a ridge, then as LOL: Vogelstein and others 2021. */
pen_status pen_class_columns(pen_run *run, const pen_class_means *x, double ridge, int64_t most,
                             double *W, int64_t *k);

#endif
