/* pair_terms.h - scatters of pairs as terms of matrices that are not stored (linalg/implicit.h). */
#ifndef PEN_PAIR_TERMS_H
#define PEN_PAIR_TERMS_H

#include "linalg/sym.h"
#include "problem/problem.h"

/* S += weight sum w_ij (x_i - x_j)(x_i - x_j)' over the pairs `links` of the problem.
 * Memory: 48 bytes for each pair. */
pen_status pen_term_of_links(pen_run *run, double weight, const pen_problem *problem,
                             const pen_links *links, pen_sym *S);

/* B += cannot S_B, W += must S_W over all pairs of labelled rows. */
pen_status pen_term_of_labels(pen_run *run, double cannot, double must, const pen_view *x,
                              pen_sym *B, pen_sym *W);

#endif
