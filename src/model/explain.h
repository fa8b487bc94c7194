/* explain.h - why a fit has fewer dimensions than its rows have directions, where the units of the
 * columns are the reason. */
#ifndef PEN_EXPLAIN_H
#define PEN_EXPLAIN_H

#include "core/rows.h"

enum { PEN_EXPLANATION_SIZE = 256 };

/* What the units of the columns of x have to do with the rank that was noted (core/run.h), or "": a
 * column is lost next to another, or all vary by no more than rounding. names may be NULL.
 * Cost: three passes over the rows. */
pen_status pen_explain_rank(pen_run *run, const pen_rows *x, const char *const *names,
                            char text[PEN_EXPLANATION_SIZE]);

#endif
