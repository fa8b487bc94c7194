/* row_bands.h - bands of columns of dense centered rows, for work that goes column by column. */
#ifndef PEN_ROW_BANDS_H
#define PEN_ROW_BANDS_H

#include "core/rows.h"

typedef struct pen_row_bands {
    const pen_view *x;
    const pen_row_length *length; /* [n] or NULL: 1 */
} pen_row_bands;

/* Computes the lengths once, in scratch memory. Cost: one pass over rows of unit length; otherwise
 * none. */
pen_status pen_row_bands_open(pen_run *run, const pen_view *x, pen_row_bands *out);

/* Columns first .. first + count - 1 of a row, as in pen_rows_centered. */
void pen_row_band(const pen_row_bands *bands, int64_t row, int64_t first, int64_t count,
                  double *to);

#endif
