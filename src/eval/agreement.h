/* agreement.h - how far two ways of dividing the same rows agree. */
#ifndef PEN_AGREEMENT_H
#define PEN_AGREEMENT_H

#include "core/run.h"

/* Of pairs of rows, `classes` and `clusters` [n], 0 .. count - 1 each. */
pen_status pen_agreement_measure(pen_run *run, int64_t n, int64_t class_count,
                                 const int32_t *classes, int64_t cluster_count,
                                 const int32_t *clusters, pen_agreement *out);

#endif
