/* explain.h - what a fit tells of its rows and columns: which dimensions are lost to units, which
 * column or which rows are unlike the others, what no label reaches, what is arbitrary. */
#ifndef PEN_EXPLAIN_H
#define PEN_EXPLAIN_H

#include "core/rows.h"

enum { PEN_EXPLANATION_SIZE = 256 };

/* Explain the rank cut noted in the run (core/run.h) by the units of the columns of x: a column is
 * lost next to another, or no column varies by more than rounding. "" if neither holds. names may
 * be NULL. Cost: at most a pass over the rows. */
pen_status pen_explain_rank(pen_run *run, const pen_view *x, const char *const *names,
                            char text[PEN_EXPLANATION_SIZE]);

/* Name the column that has nearly all of the variance of at least three columns of x, which are not
 * scaled. "" if none has. */
void pen_explain_share(const pen_view *x, const char *const *names,
                       char text[PEN_EXPLANATION_SIZE]);

/* The rows far from all others (x->far_rows), such as values that stand for no data; also noted as
 * far_rows. "" if there are none. */
void pen_explain_far(pen_run *run, const pen_view *x, char text[PEN_EXPLANATION_SIZE]);

/* The unlabelled rows that no label reaches, as noted in the run, where they are many, since their
 * classes follow from no label. "" otherwise. */
void pen_explain_unreached(pen_run *run, const pen_view *x, char text[PEN_EXPLANATION_SIZE]);

/* Which of k columns of eigenvalues `values` (or NULL) from d columns are any basis of their span,
 * as their eigenvalues are equal but for rounding; not of values 0, which some methods order by
 * variance. "" if none are. */
void pen_explain_equal(const double *values, int64_t k, int64_t d, char text[PEN_EXPLANATION_SIZE]);

#endif
