/* agreement.h - how far two partitions of the same rows agree. */
#ifndef PEN_AGREEMENT_H
#define PEN_AGREEMENT_H

#include "core/run.h"

/* Compare classes [n], 0 .. class_count - 1, with clusters [n], 0 .. cluster_count - 1. */
pen_status pen_agreement_measure(pen_run *run, int64_t n, int64_t class_count,
                                 const int32_t *classes, int64_t cluster_count,
                                 const int32_t *clusters, pen_agreement *out);

#endif
