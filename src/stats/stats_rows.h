/* stats_rows.h - what becomes of a row before it is counted: row steps that are not learned from
 * other rows. */
#ifndef PEN_STATS_ROWS_H
#define PEN_STATS_ROWS_H

#include "core/row_steps.h"
#include "stats/stats.h"

/* There is no kernel, and no step that is learned from all rows; else PEN_BAD_ARGUMENT. */
int pen_stats_steps_possible(const pen_spec *spec);
pen_status pen_stats_check_steps(pen_run *run, const pen_spec *spec);

/* PEN_BAD_ARGUMENT: the statistics are of rows after other steps than those of the spec. what: what
 * the spec is of, for messages. */
pen_status pen_stats_check_rows(pen_run *run, const pen_spec *spec, const pen_stats *s,
                                const char *what);

/* In the place of x rows that have taken the steps of the spec, if it has any, in scratch memory.
 * Errors as in pen_row_steps_apply. */
pen_status pen_stats_take_steps(pen_run *run, const pen_spec *spec, pen_array *x);

/* The sums of all rows, as a fit of the spec takes them. */
pen_moments pen_stats_moments(const pen_spec *spec, const pen_stats *s);

#endif
