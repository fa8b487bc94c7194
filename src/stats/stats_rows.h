/* stats_rows.h - what becomes of a row before it is counted: `normalize`, and row steps that are
 * not learned from other rows. */
#ifndef PEN_STATS_ROWS_H
#define PEN_STATS_ROWS_H

#include "core/row_steps.h"
#include "stats/stats.h"

/* "row_total 10000, log1p, snv, derivative 11", or "no row steps"; equal for equal steps. */
enum { PEN_STEPS_TEXT = 96 };
void pen_stats_steps_text(const pen_stats *s, char text[PEN_STEPS_TEXT]);

/* There is no kernel, and no step that is learned from all rows; else PEN_BAD_ARGUMENT. */
int pen_stats_steps_possible(const pen_spec *spec);
pen_status pen_stats_check_steps(pen_run *run, const pen_spec *spec);

/* Notes in a new object what becomes of its rows. */
void pen_stats_note_steps(const pen_spec *spec, pen_stats *s);
void pen_stats_copy_steps(const pen_stats *from, pen_stats *to);

/* PEN_BAD_ARGUMENT: the statistics are of rows after other steps, or another normalize, than those
 * of the spec. what: what the spec is of, for messages. */
pen_status pen_stats_check_rows(pen_run *run, const pen_spec *spec, const pen_stats *s,
                                const char *what);

/* In the place of x rows that have taken the steps of the spec, if it has any, in scratch memory.
 * Errors as in pen_row_steps_apply. */
pen_status pen_stats_take_steps(pen_run *run, const pen_spec *spec, pen_array *x);

#endif
