/* row_fit.h - the row steps of a fit: learned, applied to its rows, and kept in its model. */
#ifndef PEN_ROW_FIT_H
#define PEN_ROW_FIT_H

#include "core/row_steps.h"
#include "methods/method.h"
#include "model/model.h"

/* The steps of `data`, and in its place data whose rows have taken them: doubles, in scratch memory
 * or in the cache of the run; *steps is zeroed, and the data are as they are, if none are asked
 * for. Errors as in pen_row_steps_learn. Memory: 8 n bytes a column that is kept, or 12 an entry of
 * sparse rows. */
pen_status pen_row_fit_open(pen_run *run, const pen_common *common, pen_data *data,
                            pen_row_steps *steps);

/* The steps that rows of so many columns have taken already: those that are not learned. */
void pen_row_fit_known(const pen_common *common, int64_t columns, pen_row_steps *steps);

/* Gives a model of rows that have taken the steps these steps, so that it maps rows as given. */
pen_status pen_row_fit_keep(pen_run *run, const pen_row_steps *steps, pen_model *model);

#endif
