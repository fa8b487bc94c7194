/* embedding.h - rows embedded by a method that is tried next to others. */
#ifndef PEN_EMBEDDING_H
#define PEN_EMBEDDING_H

#include "core/run.h"

struct pen_cache;

/* Fit `spec` with `dim` dimensions (0: the number the method takes by itself) to `data`, without
 * pairs if the method does not learn from pairs, and embed x: z [x->rows x *k] in scratch memory. A
 * method whose first columns are the answer for fewer dimensions gives fewer where it has no more.
 * `cache` may be NULL. */
pen_status pen_embed_rows(pen_run *run, struct pen_cache *cache, const pen_spec *spec, int64_t dim,
                          const pen_data *data, const pen_array *x, const pen_control *control,
                          int64_t *k, double **z);

/* A number of dimensions that a method does not give is no failure where others are given. */
int pen_is_no_such_dim(pen_status status);

#endif
