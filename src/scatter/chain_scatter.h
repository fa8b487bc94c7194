/* chain_scatter.h - scatters of rows joined by weighted must-links. */
#ifndef PEN_CHAIN_SCATTER_H
#define PEN_CHAIN_SCATTER_H

#include "linalg/sym.h"
#include "pairs/pairs.h"

/* W += weight sum w_ij (x_i - x_j)(x_i - x_j)' over all pairs {i, j} that the tree joins, with w_ij
 * the weight of the join. Cost: one row for each join, so (n' - chunklets) d^2 flops. Memory: these
 * rows. */
pen_status pen_scatter_joined(pen_run *run, double weight, const pen_view *x,
                              const pen_chain_tree *tree, pen_sym *W);

/* The scatters of chunklets with weights: with the sum over pairs of rows of a chunklet c of n_c
 * rows, and means m_c,
 *
 *   mass_c = 2 / (n_c - 1) sum w_ij,   M = sum_c mass_c     (n_c, if all weights are 1)
 *   W += 1/M sum_c 1/n_c sum w_ij (x_i - x_j)(x_i - x_j)'
 *   B += 1/M sum_c mass_c (m_c - m)(m_c - m)',   m = 1/M sum_c mass_c m_c
 *
 * Memory: as above. */
pen_status pen_scatter_weighted_chunklets(pen_run *run, const pen_view *x,
                                          const pen_chain_tree *tree, pen_sym *B, pen_sym *W);

#endif
