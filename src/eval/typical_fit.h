/* typical_fit.h - what a model keeps to tell how typical rows are. */
#ifndef PEN_TYPICAL_FIT_H
#define PEN_TYPICAL_FIT_H

#include "model/model.h"

/* Keeps some rows of the fit in its model, drawn by what they contain, and the distances of some
 * from others; nothing where the model does not predict. With a spec the distances are those of
 * rows that a fit leaves out, where it learns from few rows for its columns and would have them
 * nearer; not where pairs or kernel values number the rows. Cost: the embedding of 2000 rows and
 * the distances of 500 from them; fits without a fifth of the rows, until 200 are measured. */
pen_status pen_typical_learn(pen_run *run, const pen_spec *spec, const pen_data *data,
                             const pen_control *control, pen_model *model);

#endif
