/* source_fit.h - the source of the neighbors of rows in a fit. */
#ifndef PEN_SOURCE_FIT_H
#define PEN_SOURCE_FIT_H

#include "model/spec.h"

/* Opens and checks the graph of `data`, whose rows are x, if it has one. PEN_BAD_ARGUMENT: a graph
 * for a method that takes none; PEN_BAD_DATA: pen_given_open, pen_given_spot_check. */
pen_status pen_source_fit_open(pen_run *run, const pen_spec *spec, const pen_data *data,
                               const pen_view *x, pen_neighbor_source *out);

/* PEN_BAD_ARGUMENT if a graph was given and the fit did not need it. */
pen_status pen_source_fit_check(pen_run *run, const pen_spec *spec,
                                const pen_neighbor_source *source);

#endif
