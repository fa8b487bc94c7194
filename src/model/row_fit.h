/* row_fit.h - the first stage of a fit: learns and applies row steps and takes out columns that do
 * not vary; the model keeps both. */
#ifndef PEN_ROW_FIT_H
#define PEN_ROW_FIT_H

#include "core/row_steps.h"
#include "methods/method.h"
#include "model/model.h"

typedef struct pen_row_fit {
    pen_row_steps steps;  /* columns 0: none */
    pen_row_steps live;   /* selects the columns that vary; NULL: all, and nothing is done */
    const double *values; /* [live.columns] first row: values of the other columns */
} pen_row_fit;

/* Replaces x and column_names of data by those after the steps, as doubles, and then by those of
 * the columns that vary. Rows are in scratch memory, or in the cache of the run, where calls on the
 * same rows share them. With `moments` the rows have already taken the steps, and the columns of
 * the moments are replaced as well. Rows of kernel values, and rows that are all equal, keep their
 * columns. Errors as in pen_row_steps_learn; PEN_NOT_FINITE names the column as given. Cost: that
 * of the steps, and passes over the columns not yet known to vary, or over sparse rows. Memory: 8 n
 * bytes per column that steps keep, or 12 per entry of sparse rows; a copy of the rows if a column
 * does not vary. */
pen_status pen_row_fit_open(pen_run *run, const pen_common *common, pen_data *data,
                            const pen_moments **moments, pen_row_fit *out);

/* Gives a model of such rows these steps and the other columns, multiplied by 0, so that it
 * projects rows as given. */
pen_status pen_row_fit_keep(pen_run *run, const pen_row_fit *f, pen_model *model);

#endif
