/* stats_rows.h - the row steps before statistics, which must not be learned from other rows. */
#ifndef PEN_STATS_ROWS_H
#define PEN_STATS_ROWS_H

#include "stats/stats.h"

/* Statistics exclude kernels and steps learned from all rows: PEN_BAD_ARGUMENT. */
int pen_stats_steps_possible(const pen_spec *spec);
pen_status pen_stats_check_steps(pen_run *run, const pen_spec *spec);

/* PEN_BAD_ARGUMENT: the row steps of statistics and spec differ. what: the source of the spec, for
 * messages. */
pen_status pen_stats_check_rows(pen_run *run, const pen_spec *spec, const pen_stats *s,
                                const char *what);

/* Replaces x by rows after the steps of the spec, if it has any, in scratch memory. Errors as in
 * pen_row_steps_apply. */
pen_status pen_stats_take_steps(pen_run *run, const pen_spec *spec, pen_array *x);

/* The sums of all rows, for a fit of the spec. */
pen_moments pen_stats_moments(const pen_spec *spec, const pen_stats *s);

#endif
