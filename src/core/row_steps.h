/* row_steps.h - functions of one row that no matrix can express, applied before all else: of counts
 * to a total, logarithms, weights by document frequency; of spectra (core/spectrum.h); a choice of
 * columns.
 *
 * Steps are learned from the rows of a fit and then are a fixed function of a row. Zeros stay zero,
 * but by those of spectra, so sparse rows stay sparse. A row becomes the same numbers, to the bit,
 * sparse or dense and whatever rows are next to it. */
#ifndef PEN_ROW_STEPS_H
#define PEN_ROW_STEPS_H

#include "core/params.h"
#include "core/rows.h"

/* What is done to each row before all else, in the order of application. */
typedef struct pen_row_params {
    double total; /* rows are divided by their sum and multiplied by this; 0: not; < 0: median */
    int log1p;    /* x becomes ln(1 + x) */
    int idf;      /* x_j is multiplied by ln((1 + n) / (1 + df_j)) + 1 */
    int snv;      /* a row less its mean, over its standard deviation */
    int64_t derivative; /* by the column, by windows of this number of columns; 0: not */
    int64_t select;     /* the number of columns of largest variance to keep; 0: all */
    int l2;             /* then each row is divided by its length: pen_view.unit */
} pen_row_params;

typedef struct pen_row_steps {
    int64_t columns; /* of a row as given; 0: there are no steps */
    double total;    /* 0: none */
    int log1p;
    const double *idf; /* [columns] or NULL */
    int snv;
    int64_t derivative;      /* columns of a window; 0: none */
    const int64_t *selected; /* [kept] ascending, or NULL: all */
    int64_t kept;            /* columns of a row afterwards */
} pen_row_steps;

/* The steps as a text (core/params.h) such as "total:median,log1p,l2", bound to pen_row_params. */
extern const pen_text_form pen_row_steps_form;

/* Are there any but l2, which is no step of this file? */
int pen_row_params_any(const pen_row_params *asked);

/* Learns the steps from all rows of x, in scratch memory: the median of the positive sums of rows;
 * df_j, the number of rows whose column j is not 0; the columns of largest variance after all steps
 * before, ties by lower index. PEN_BAD_DATA: as pen_row_steps_apply; a median of no positive sum.
 * PEN_BAD_ARGUMENT: more columns than there are; a window that is even, or of more columns; sparse
 * rows with snv or derivative. Cost: up to four passes over the entries. */
pen_status pen_row_steps_learn(pen_run *run, const pen_row_params *asked, const pen_array *x,
                               pen_row_steps *out);

/* Rows first .. first + count - 1 of x after the steps, in scratch memory, as doubles: sparse if x
 * is. A row whose sum is 0 stays as it is; a constant row becomes zeros by snv.
 * PEN_BAD_ARGUMENT: sparse rows with snv or derivative. PEN_NOT_FINITE: a value of x.
 * PEN_BAD_DATA: a negative value, with a total; a value that is not above -1, with log1p; the
 * message names row and column; a derivative that overflows. Cost: one pass over the entries, and
 * in each the window; memory: 8 count kept bytes, or 12 an entry. */
pen_status pen_row_steps_apply(pen_run *run, const pen_row_steps *steps, const pen_array *x,
                               int64_t first, int64_t count, pen_array *out);

#endif
