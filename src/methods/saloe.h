/* saloe.h - shared by saloe.c and salwe.c: their parameters, bound to pen_embedding, their defaults
 * of common parameters, and their record except for names. */
#ifndef PEN_SALOE_H
#define PEN_SALOE_H

#include "methods/method.h"
#include "solve/embed.h"

extern const pen_param pen_saloe_params[];

#define PEN_SALOE_RECORD                                                                           \
    .cite =                                                                                        \
        "Nie, Wang, Wang, Li: Adaptive local embedding learning for semi-supervised "              \
        "dimensionality reduction. IEEE Transactions on Knowledge and Data Engineering (2021)",    \
    .dims = "rank of the centered rows; auto: classes - 1",                                        \
    .cost = "n^2 c t + n k d t + n d^2 t + d^3 t", .source = PEN_SOURCE_PAPER,                     \
    .traits = PEN_LABELS | PEN_USES_UNLABELLED | PEN_UNNESTED | PEN_NEIGHBORS,                     \
    .params = pen_saloe_params, .inner = &(const struct pen_method_inner)                          \
    {                                                                                              \
        .needs = { .classes = 1 }, PEN_FIT(pen_embedding)                                          \
    }

#endif
