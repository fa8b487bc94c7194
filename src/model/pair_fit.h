/* pair_fit.h - the pairs of a fit. */
#ifndef PEN_PAIR_FIT_H
#define PEN_PAIR_FIT_H

#include "methods/method.h"
#include "model/model.h"
#include "model/spec.h"
#include "pairs/pairs.h"

/* Opens the pairs if the method learns from them, weighs them, says how many there are, and sets
 * x->pairs. PEN_BAD_ARGUMENT: there are some, and it does not. moments: NULL, or sums over all
 * rows, of which x has some. */
pen_status pen_pair_fit_open(pen_run *run, const pen_spec *spec, const pen_data *data,
                             const pen_moments *moments, pen_rows *x, pen_pair_set *pairs);

/* Keeps what became of pairs: model->pair_weights and derived_pairs. */
pen_status pen_pair_fit_keep(pen_run *run, const pen_data *data, const pen_rows *x,
                             pen_model *model);

/* ---- where a fit gets the neighbors of its rows ---- */

/* Opens and checks the graph of `data`, whose rows are x, if it has one. PEN_BAD_ARGUMENT: a graph
 * for a method that takes none; PEN_BAD_DATA: pen_given_open, pen_given_spot_check. */
pen_status pen_source_fit_open(pen_run *run, const pen_spec *spec, const pen_data *data,
                               const pen_rows *x, pen_neighbor_source *out);

/* PEN_BAD_ARGUMENT if a graph was given and the fit did not need it. */
pen_status pen_source_fit_check(pen_run *run, const pen_spec *spec,
                                const pen_neighbor_source *source);

/* ---- the fit of a method that sees labelled or paired rows alone, among rows that are too
 * many and too wide for a matrix of either size ---- */

typedef struct pen_part_fit {
    pen_rows rows; /* that the method sees; n = 0: all, nothing is left out */
    pen_pair_set pairs;
} pen_part_fit;

/* Leaves out the rows that `method` does not see, where that leaves at least 2 and at most
 * PEN_BOTH_LARGE. The span of the others holds all columns the method can find, so a reduction to
 * it is exact. x->pairs are taken along, and neighbors are still those among all rows. It must not
 * move: the rows point into it. Memory: a copy of the rows. */
pen_status pen_part_fit_open(pen_run *run, const pen_method *method, const pen_rows *x,
                             pen_part_fit *out);

#endif
