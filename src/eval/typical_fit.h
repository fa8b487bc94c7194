/* typical_fit.h - keeps what a model needs to rate how typical rows are. */
#ifndef PEN_TYPICAL_FIT_H
#define PEN_TYPICAL_FIT_H

#include "model/model.h"

/* Keeps some rows of the fit in its model, drawn by content, and distances of some rows from
 * others; keeps nothing if the model does not predict. With a spec, and few rows for the number of
 * columns, the distances come from fits without the measured rows, because a fit brings its own
 * rows closer; not if pairs or kernel values refer to row numbers. Cost: the embedding of 2000 rows
 * and the distances of 500 from them; fits without a fifth of the rows, until 200 are measured. */
pen_status pen_typical_learn(pen_run *run, const pen_spec *spec, const pen_data *data,
                             const pen_control *control, pen_model *model);

#endif
