/* pair_agreement.h - how well each pair agrees with the pairs around it.
 *
 * Pairs {u, v} vote on a pair {i, j}, with the strength of the affinities of their ends,
 *
 *   k(i, j; u, v) = A_iu A_jv + A_iv A_ju,  A_iu = exp(-|x_i - x_u|^2 / (sigma_i sigma_u)),
 *
 * A_ii = 1, sigma_i the distance from x_i to the 15th nearest of the other rows in pairs.
 * With s = 1 for must-links and -1 for cannot-links the agreement of {i, j} is
 *
 *   a = s_ij sum s_uv w_uv k / (1/2 + sum w_uv k)  in (-1, 1)
 *
 * over all other pairs, w their weights. The weight of {i, j} is multiplied by 1/2 + 5/4 a, at
 * least 0.01 and at most 1. A pair with no other pair nearby has agreement 0. */
#ifndef PEN_PAIR_AGREEMENT_H
#define PEN_PAIR_AGREEMENT_H

#include "pairs/pairs.h"

/* Multiplies the weights of the listed and sampled pairs, which are lists with weights. Pairs
 * implied by labels keep the weight 1 and do not vote. Cost: r p (d + 2) + r^2 d for p pairs of r
 * rows. Memory: 16 bytes for each pair, and for each thread 32 bytes for each row in pairs. */
pen_status pen_pairs_weigh_by_agreement(pen_run *run, const pen_view *x, pen_pair_set *pairs);

#endif
