/* soft_scatter.h - the scatters of classes that rows belong to in part. */
#ifndef PEN_SOFT_SCATTER_H
#define PEN_SOFT_SCATTER_H

#include "core/rows.h"
#include "linalg/sym.h"

/* F [n x x->classes] >= 0: how much of row i is of class c, each class having some of a row. G_c =
 * sum_i F_ic, m_c = sum_i F_ic x_i / G_c,
 * m = sum_c G_c m_c / sum_c G_c.
 * B += S_b, S_b = sum_c G_c (m_c - m)(m_c - m)'
 * C += S_w, S_w = sum_c sum_i F_ic (x_i - m_c)(x_i - m_c)'
 * *largest: the largest diagonal entry of S_w in the columns that x was reduced from, if it was for
 * having fewer rows than columns. With hard labels the scatters are those of pen_scatter_classes.
 * PEN_RANK_TOO_SMALL: S_b is no more than rounding. PEN_SINGULAR_SCATTER: S_w is that small beside
 * S_b. No n x n matrix and no difference of scatters. Cost: n d^2 + 4 n d c flops, n d c more if x
 * was reduced; memory: 2 n c doubles. */
pen_status pen_scatter_soft(pen_run *run, const pen_rows *x, const double *F, pen_sym *B,
                            pen_sym *C, double *largest);

#endif
