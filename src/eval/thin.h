/* thin.h - some of many rows, for trials. */
#ifndef PEN_THIN_H
#define PEN_THIN_H

#include "core/rows.h"

/* As pen_sample_labels, of the rows in `order` [n] (core/row_order.h); NULL: by number. out may be
 * labels. */
pen_status pen_labels_draw(pen_run *run, const int32_t *labels, int64_t n, const int64_t *order,
                           const pen_label_sample *sample, int32_t *out);

/* The order of the rows of trials, in standardized columns. */
pen_status pen_data_order(pen_run *run, const pen_data *data, int64_t **order);

/* `most` of more rows, in their order: at most half of them labelled, of each class in proportion
 * (at least one row of each), and the others drawn among those that are left, whose labels count as
 * unknown. Sets out->x and out->labels, in scratch memory. data->labels are not NULL. */
pen_status pen_data_thin(pen_run *run, const pen_data *data, int64_t most, uint64_t seed,
                         int64_t **taken_rows, pen_data *out);

#endif
