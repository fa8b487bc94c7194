/* path_scatter.h - the scatter weighted by path similarities, from the merges of a spanning
 * tree. */
#ifndef PEN_PATH_SCATTER_H
#define PEN_PATH_SCATTER_H

#include "graph/paths.h"
#include "linalg/sym.h"

/* S += weight sum P_ij (x_i - x_j)(x_i - x_j)' over the pairs of rows that are not both labelled,
 * with P_ij the path similarity.
 *
 * A merge of groups with a and b rows at similarity s contributes
 *
 *   s (b S_a + a S_b + a b (m_a - m_b)(m_a - m_b)'),
 *
 * S and m the scatter and mean of a group, where S_a and S_b are themselves sums over earlier
 * merges. So the result is a sum over merges of positive weights times squared differences of
 * means, with labelled and unlabelled rows kept separate. Cost: n d and up to 4 n d^2 flops;
 * memory: 2 d log2 n doubles, 100 n bytes and blocks of rows. */
pen_status pen_scatter_paths(pen_run *run, double weight, const pen_view *x,
                             const pen_merges *merges, pen_sym *S);

#endif
