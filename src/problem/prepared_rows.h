/* prepared_rows.h - rows that keep what calls find out about them. */
#ifndef PEN_PREPARED_ROWS_H
#define PEN_PREPARED_ROWS_H

#include "core/cache.h"

struct pen_rows {
    pen_array x;
    pen_cache *cache; /* only keys of x, and of arrays in the cache itself, belong here */
};

/* pen_rows_new. */
pen_status pen_rows_prepare(pen_run *run, const pen_array *x, pen_rows **out);

/* The data with their rows in x, where they are prepared ones. PEN_BAD_ARGUMENT: x is neither empty
 * nor the array of those. */
pen_status pen_rows_take(pen_run *run, const pen_data *given, pen_data *out);

/* The call shares what prepared rows keep, or has a cache of its own. */
pen_status pen_rows_share(pen_run *run, const pen_data *data);

#endif
