/* explain.h - what a fit reports about its rows and columns: dimensions lost to units, unusual
 * columns and rows, rows that no label reaches, and arbitrary directions. */
#ifndef PEN_EXPLAIN_H
#define PEN_EXPLAIN_H

#include "core/rows.h"

enum { PEN_EXPLANATION_SIZE = 256 };

/* Explains the rank cut noted in the run (core/run.h) by the units of the columns of x: a column is
 * lost next to another, or no column varies by more than rounding. "" if neither holds. names may
 * be NULL. Cost: at most a pass over the rows. */
pen_status pen_explain_rank(pen_run *run, const pen_view *x, const char *const *names,
                            char text[PEN_EXPLANATION_SIZE]);

/* Names the column that has nearly all of the variance of at least three columns of x, which are
 * not scaled. "" if none has. */
void pen_explain_share(const pen_view *x, const char *const *names,
                       char text[PEN_EXPLANATION_SIZE]);

/* Names the rows far from all other rows (x->far_rows), such as codes for missing values; also
 * notes them as far_rows. "" without such rows. */
void pen_explain_far(pen_run *run, const pen_view *x, char text[PEN_EXPLANATION_SIZE]);

/* Reports the unlabelled rows that no label reaches, as noted in the run, if they are many, because
 * no label determines their classes. "" otherwise. */
void pen_explain_unreached(pen_run *run, const pen_view *x, char text[PEN_EXPLANATION_SIZE]);

/* Names columns, among k with eigenvalues `values` (or NULL) from d columns, that are an arbitrary
 * basis of their span because their eigenvalues are equal up to rounding. Ignores values of 0,
 * which some methods order by variance. "" if there are none. */
void pen_explain_equal(const double *values, int64_t k, int64_t d, char text[PEN_EXPLANATION_SIZE]);

#endif
