/* held_out_fit.h - weights and the number of dimensions of methods that learn from pairs, by labels
 * and pairs that are held out. */
#ifndef PEN_HELD_OUT_FIT_H
#define PEN_HELD_OUT_FIT_H

#include "model/spec.h"

/* 1 if a parameter is cv, or dim is auto (PEN_CV, PEN_DIM_HELD_OUT). */
int pen_held_out_asked(const pen_spec *spec);

/* Values of the grids for cv, and request->wanted, by fits of all combinations
 * (solve/cross_validation.h) in 1 .. 60 dimensions where dim is auto, else in those wanted, or in 9
 * of all. The least loss decides the dimensions, the fewest of equal ones. In these the earliest
 * values win whose loss is within half a standard error of the least. *too_little is 1 where too
 * little can be held out, or nothing can be fitted: then params are the defaults, and dimensions
 * all. Notes "chosen": "alpha=10 dim=3". Traces "held_out_loss", the last parameter varying first,
 * of each combination in 1, 2, .. dimensions. */
pen_status pen_held_out_choose(pen_run *run, const pen_spec *spec, const pen_problem *problem,
                               pen_request *request, const void **params, int *too_little);

#endif
