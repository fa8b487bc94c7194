/* kmeans.h - Lloyd's k-means from k-means++ starts, with the same clusters on every machine. */
#ifndef PEN_KMEANS_H
#define PEN_KMEANS_H

#include "core/rows.h"

/* Cluster the points y [n x d], 1 <= k <= n: cluster [n], and *sum of the squared distances to the
 * means, from the start with the smallest sum, the first among equals. Start u uses the generator
 * derive(seed, u). docs/evaluation.md has the rules for ties and empty clusters.
 * Cost: restarts * (iterations <= 300) * 2 n k d. Memory: 2 n d + restarts n numbers. */
pen_status pen_kmeans_restarts(pen_run *run, int64_t n, int64_t d, const double *y, int64_t k,
                               int64_t restarts, uint64_t seed, int32_t *cluster, double *sum);

/* The same of sparse rows, which stay sparse; distances are rounded in units of squared lengths.
 * Cost: restarts * iterations * 2 k for each entry. Memory: the entries once more if they are
 * centered or no doubles, and k d numbers for each thread. */
pen_status pen_kmeans_sparse(pen_run *run, const pen_rows *x, int64_t k, int64_t restarts,
                             uint64_t seed, int32_t *cluster, double *sum);

#endif
