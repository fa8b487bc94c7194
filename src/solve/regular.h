/* regular.h - the denominator of a ratio of scatters, made regular. */
#ifndef PEN_REGULAR_H
#define PEN_REGULAR_H

#include "solve/ratio.h"

/* The problem that is solved instead of A and B. */
typedef struct pen_regular {
    const pen_sym *A;
    pen_sym *B;
    int in_span; /* both are in the coordinates of `span` */
    pen_span span;
    pen_inner inner;
    const pen_ridge *ridge;
    const pen_request *request;
} pen_regular;

/* Makes the denominator B (NULL: none is needed) regular by the ridge (NULL: none), in place or in
 * the coordinates of a span. out: ridge. Notes "regularized" and "shrinkage".
 * PEN_SINGULAR_SCATTER: an exact reduction left columns out, and there is no ridge. Cost with
 * PEN_RIDGE_AUTO: that of pen_eig_is_definite, and where B is singular that of the shrinkage, or of
 * the scatter of all rows and eigenproblems. */
pen_status pen_regular_open(pen_run *run, const pen_sym *A, pen_sym *B, const pen_ridge *ridge,
                            const pen_request *request, pen_regular *out, pen_map *map);

/* Returns `status`; adds the reason and the remedy to the message of PEN_SINGULAR_SCATTER. */
pen_status pen_regular_explain(pen_run *run, pen_status status, const pen_regular *problem);

#endif
