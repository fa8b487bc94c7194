/* prepared_rows.h - rows that keep results of earlier calls. */
#ifndef PEN_PREPARED_ROWS_H
#define PEN_PREPARED_ROWS_H

#include "core/cache.h"

struct pen_rows {
    pen_array x;
    pen_cache *cache; /* only keys of x, and of arrays in this cache, belong here */
};

/* pen_rows_new. */
pen_status pen_rows_prepare(pen_run *run, const pen_array *x, pen_rows **out);

/* The data with prepared rows moved to x, if there are any. PEN_BAD_ARGUMENT: x is neither empty
 * nor the array of these. */
pen_status pen_rows_take(pen_run *run, const pen_data *given, pen_data *out);

/* Lets the call share what prepared rows keep, or gives it a separate cache. */
pen_status pen_rows_share(pen_run *run, const pen_data *data);

#endif
