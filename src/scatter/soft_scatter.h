/* soft_scatter.h - the scatters of soft classes, with partial membership of rows. */
#ifndef PEN_SOFT_SCATTER_H
#define PEN_SOFT_SCATTER_H

#include "core/rows.h"
#include "linalg/sym.h"

/* F [n x x->classes] >= 0: the membership of each row in each class; no class is empty.
 *
 *   G_c = sum_i F_ic,  m_c = sum_i F_ic x_i / G_c,  m = sum_c G_c m_c / sum_c G_c
 *   B += S_b,  S_b = sum_c G_c (m_c - m)(m_c - m)'
 *   C += S_w,  S_w = sum_c sum_i F_ic (x_i - m_c)(x_i - m_c)'
 *
 * *largest: the largest diagonal entry of S_w; if x was reduced because it had fewer rows than
 * columns, in the original columns. With hard labels these are the scatters of pen_scatter_classes.
 * No n x n matrix is formed and no scatters are subtracted. PEN_RANK_TOO_SMALL: S_b is within
 * rounding. PEN_SINGULAR_SCATTER: S_w is within rounding relative to S_b.
 * Cost: n d^2 + 4 n d c flops, n d c more if x was reduced; memory: 2 n c doubles. */
pen_status pen_scatter_soft(pen_run *run, const pen_view *x, const double *F, pen_sym *B,
                            pen_sym *C, double *largest);

#endif
