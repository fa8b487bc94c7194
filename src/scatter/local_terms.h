/* local_terms.h - local scatters as terms of matrices that are not stored (linalg/implicit.h). */
#ifndef PEN_LOCAL_TERMS_H
#define PEN_LOCAL_TERMS_H

#include "scatter/scatter.h"

/* B += between S_lb, C += within S_lw (local_scatter.c). PEN_BAD_ARGUMENT: more than PEN_BOTH_LARGE
 * labelled rows. Cost: n_c^2 d for each class; memory:
 * n_c^2 doubles for each. */
pen_status pen_local_terms(pen_run *run, double between, double within, const pen_rows *x,
                           const pen_affinity_scale *scale, pen_sym *B, pen_sym *C);

#endif
