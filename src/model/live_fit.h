/* live_fit.h - columns that do not vary are taken out before anything else looks at the rows. */
#ifndef PEN_LIVE_FIT_H
#define PEN_LIVE_FIT_H

#include "model/model.h"

typedef struct pen_live_fit {
    int64_t given;          /* columns of the rows as given */
    int64_t count;          /* that vary */
    const int64_t *columns; /* [count] ascending; NULL: all of them, and nothing is done */
    const double *values;   /* [given] of the first row: those of the others */
} pen_live_fit;

/* Replaces x and feature_names of data by those of the columns that vary, which are shared with
 * other calls on the same rows. With `moments` these are replaced, too. Rows of kernel values, and
 * rows that are all equal, stay as they are. PEN_NOT_FINITE names the column as given. Cost: that
 * of pen_live_columns; a copy of the rows where a column does not vary. */
pen_status pen_live_fit_open(pen_run *run, const pen_common *common, pen_data *data,
                             const pen_moments **moments, pen_live_fit *out);

/* Gives the model the other columns, which it multiplies by 0. */
pen_status pen_live_fit_keep(const pen_live_fit *live, pen_run *run, pen_model *model);

#endif
