/* embedding.h - rows embedded by a method that is tried next to others. */
#ifndef PEN_EMBEDDING_H
#define PEN_EMBEDDING_H

#include "core/run.h"

struct pen_cache;

/* Rows as a method embeds them, in scratch memory. */
typedef struct pen_embedding {
    int64_t k;
    double *z; /* [n x k] */
    /* [n x classes] or NULL: where the reader of the spec is `scores`, those of the classes in the
     * labels of the fit */
    int64_t classes;
    double *scores;
} pen_embedding;

/* Fit `spec` with `dim` dimensions (0: the number the method takes by itself) to `data`, without
 * pairs if the method does not learn from pairs, and embed x. No reader is fitted; if that of the
 * spec is `scores`, the scores are those of the fit where x are its rows, and otherwise, or if
 * `as_new` is not 0, those that the model predicts. A method whose first columns are the answer for
 * fewer dimensions gives fewer where it has no more. `cache` may be NULL. */
pen_status pen_embed_rows(pen_run *run, struct pen_cache *cache, const pen_spec *spec, int64_t dim,
                          const pen_data *data, const pen_array *x, int as_new,
                          const pen_control *control, pen_embedding *out);

/* A number of dimensions that a method does not give is no failure where others are given. */
int pen_is_no_such_dim(pen_status status);

#endif
