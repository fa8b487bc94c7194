/* thin.h - some of many rows, for trials. */
#ifndef PEN_THIN_H
#define PEN_THIN_H

#include "core/run.h"

/* `most` of more rows, in their order: at most half of them labelled, of each class in proportion
 * (at least one row of each), and the others drawn among those that are left, whose labels count as
 * unknown. Sets out->x and out->labels, in scratch memory. data->labels are not NULL. */
pen_status pen_data_thin(pen_run *run, const pen_data *data, int64_t most, uint64_t seed,
                         pen_data *out);

#endif
