/* held_out_fit.h - chooses weights and the number of dimensions of methods that learn from pairs,
 * by held-out labels and pairs. */
#ifndef PEN_HELD_OUT_FIT_H
#define PEN_HELD_OUT_FIT_H

#include "model/spec.h"

/* 1 if a parameter is cv, or dim is auto (PEN_CV, PEN_DIM_HELD_OUT). */
int pen_held_out_asked(const pen_spec *spec);

/* Chooses values from the grids for cv, and request->wanted, by fits of all combinations
 * (solve/cross_validation.h). With dim auto it tries 1 .. 60 dimensions; otherwise it uses those
 * wanted, or 9 if all are. The lowest loss decides the dimensions, with ties going to the fewest.
 * Among values in these dimensions, the earliest wins whose loss is within half a standard error of
 * the lowest. *too_little is 1 if too little can be held out or every fit fails: then params are
 * the defaults, and dimensions all. Notes "chosen": "alpha=10 dim=3". Traces "held_out_loss" of
 * each combination in 1, 2, .. dimensions, the last parameter varying first. */
pen_status pen_held_out_choose(pen_run *run, const pen_spec *spec, const pen_problem *problem,
                               pen_request *request, const void **params, int *too_little);

#endif
