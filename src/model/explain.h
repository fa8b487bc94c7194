/* explain.h - explains what the units of the columns do to a fit: why it has fewer dimensions than
 * expected, and which column decides alone. */
#ifndef PEN_EXPLAIN_H
#define PEN_EXPLAIN_H

#include "core/rows.h"

enum { PEN_EXPLANATION_SIZE = 256 };

/* Explain the rank cut noted in the run (core/run.h) by the units of the columns of x: a column is
 * lost next to another, or no column varies by more than rounding. "" if neither holds. names may
 * be NULL. Cost: at most a pass over the rows. */
pen_status pen_explain_rank(pen_run *run, const pen_rows *x, const char *const *names,
                            char text[PEN_EXPLANATION_SIZE]);

/* Name the column that has nearly all of the variance of at least three columns of x, which are not
 * scaled. "" if none has. */
void pen_explain_share(const pen_rows *x, const char *const *names,
                       char text[PEN_EXPLANATION_SIZE]);

#endif
