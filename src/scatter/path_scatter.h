/* path_scatter.h - the scatter of path similarities, from the merges of a spanning tree. */
#ifndef PEN_PATH_SCATTER_H
#define PEN_PATH_SCATTER_H

#include "graph/paths.h"
#include "linalg/sym.h"

/* S += weight sum of P_ij (x_i - x_j)(x_i - x_j)' over the pairs of rows that are not both
 * labelled; P_ij: path similarity.
 *
 * The pairs that a merge joins, at one similarity s, of a rows with b rows, make s (b S_a + a S_b +
 * a b (m_a - m_b)(m_a - m_b)'), S and m scatter and mean of a group, and S is itself a sum over the
 * merges below. So the whole is a sum over merges of positive weights times squares of differences
 * of means, of labelled and of other rows apart. Cost: n d and up to 4 n d^2 flops; memory: 2 d
 * log2 n doubles, 100 n bytes and blocks of rows. */
pen_status pen_scatter_paths(pen_run *run, double weight, const pen_rows *x,
                             const pen_merges *merges, pen_sym *S);

#endif
