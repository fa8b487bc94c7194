/* residual_stats.h - the scatter of residuals of rows from combinations of their neighbors, of
 * blocks merged. */
#ifndef PEN_RESIDUAL_STATS_H
#define PEN_RESIDUAL_STATS_H

#include "stats/stats.h"

/* Of the blocks of both, of part RESIDUALS alone. PEN_BAD_ARGUMENT: a block twice, or residuals
 * that were found differently. */
pen_status pen_residual_merge(pen_run *run, const pen_stats *a, const pen_stats *b,
                              pen_stats **out);

#endif
