/* operator.h - the terms of a symmetric matrix that is too large to store: its products are sums
 * over the terms (linalg/implicit.h). */
#ifndef PEN_OPERATOR_H
#define PEN_OPERATOR_H

#include "core/rows.h"
#include "linalg/cg.h"

enum { PEN_MOST_TERMS = 16 };

/* weight X'LX; apply and factor NULL: L = I. */
typedef struct pen_operator_term {
    double weight;
    pen_apply_fn apply; /* v to L v, [n x k] */
    const void *context;
    const double *factor; /* [n x rank] L = F F'; or NULL */
    int64_t rank;
    const int64_t *known; /* [known_count] rows outside of which L is 0; NULL: unknown */
    int64_t known_count;
} pen_operator_term;

typedef struct pen_operator {
    pen_view x;    /* rows of all terms, X their centered rows; n = 0: no terms yet */
    int64_t count; /* more than PEN_MOST_TERMS: some were lost */
    pen_operator_term term[PEN_MOST_TERMS];
} pen_operator;

#endif
