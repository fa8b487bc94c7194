/* stats_source.h - what a fit reads of merged statistics. */
#ifndef PEN_STATS_SOURCE_H
#define PEN_STATS_SOURCE_H

#include "linalg/graph_terms.h"
#include "neighbors/neighbor.h"
#include "stats/stats.h"

/* It holds pointers to its own members: it is not to be copied. */
typedef struct pen_stats_source {
    const pen_stats *stats;
    int64_t *numbers; /* [kept] numbers of the kept rows among all */
    pen_moments moments;
    pen_class_moments classes, groups;
    pen_terms terms;
    pen_soft_sums soft;
    pen_residual_sums residuals;
    int64_t taken; /* of the terms */
    pen_data data;
} pen_stats_source;

/* In scratch memory. Errors of pen_stats_fit. */
pen_status pen_stats_source_open(pen_run *run, const pen_spec *spec, const pen_stats *s,
                                 const pen_data *pairs, pen_stats_source *out);

#endif
