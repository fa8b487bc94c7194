/* pair_fit.h - the pairs of a fit. */
#ifndef PEN_PAIR_FIT_H
#define PEN_PAIR_FIT_H

#include "model/model.h"
#include "model/spec.h"
#include "pairs/pairs.h"

/* Opens the pairs if the method learns from them, weights them, notes their number, and sets
 * problem->pairs. PEN_BAD_ARGUMENT: there are pairs, and the method does not learn from them.
 * moments: NULL, or sums over all rows, if the problem has only some. */
pen_status pen_pair_fit_open(pen_run *run, const pen_spec *spec, const pen_data *data,
                             const pen_moments *moments, pen_problem *problem, pen_pair_set *pairs);

/* Keeps the final weights and additions: model->pair_weights and derived_pairs. */
pen_status pen_pair_fit_keep(pen_run *run, const pen_data *data, const pen_problem *problem,
                             pen_model *model);

#endif
