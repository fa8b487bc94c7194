/* row_steps.h - functions of one row, applied before all else: for counts a common total,
 * logarithms, weights by document frequency; for spectra the steps of core/spectrum.h; a choice of
 * columns.
 *
 * Steps are learned from the rows of a fit and are then a fixed function of a row. Zeros stay zero,
 * except in steps of spectra, so sparse rows stay sparse. A row gives the same bits, sparse or
 * dense, alone or in any batch. */
#ifndef PEN_ROW_STEPS_H
#define PEN_ROW_STEPS_H

#include "core/params.h"
#include "core/rows.h"

/* The steps of each row, in the order of application. */
typedef struct pen_row_params {
    double total;       /* rows are scaled to this sum; 0: not; < 0: to the median sum */
    int log1p;          /* x becomes ln(1 + x) */
    int idf;            /* x_j is multiplied by ln((1 + n) / (1 + df_j)) + 1 */
    int snv;            /* (row - its mean) / its standard deviation */
    int64_t derivative; /* along the columns, in windows of this number; 0: not */
    int64_t select;     /* the number of columns of largest variance to keep; 0: all */
    int l2;             /* then each row is divided by its length: pen_view.unit */
} pen_row_params;

typedef struct pen_row_steps {
    int64_t columns; /* of a given row; 0: there are no steps */
    double total;    /* 0: none */
    int log1p;
    const double *idf; /* [columns] or NULL */
    int snv;
    int64_t derivative;      /* columns in a window; 0: none */
    const int64_t *selected; /* [kept] ascending, or NULL: all */
    int64_t kept;            /* columns of a row after the steps */
} pen_row_steps;

/* The steps as a text (core/params.h) such as "total:median,log1p,l2", bound to pen_row_params. */
extern const pen_text_form pen_row_steps_form;

/* Are there steps other than l2, which this file does not handle? */
int pen_row_params_any(const pen_row_params *asked);

/* Learns the steps from all rows of x, in scratch memory: the median of the positive sums of rows;
 * df_j, the number of rows with a nonzero value in column j; the columns of largest variance after
 * the earlier steps, ties by lower index. PEN_BAD_DATA: as pen_row_steps_apply; no positive sum for
 * the median. PEN_BAD_ARGUMENT: more columns to select than exist; a window that is even or too
 * wide; sparse rows with snv or derivative. Cost: up to four passes over the entries. */
pen_status pen_row_steps_learn(pen_run *run, const pen_row_params *asked, const pen_array *x,
                               pen_row_steps *out);

/* Rows first .. first + count - 1 of x after the steps, in scratch memory, as doubles: sparse if x
 * is. A row with sum 0 is not scaled; snv turns a constant row into zeros.
 * PEN_BAD_ARGUMENT: sparse rows with snv or derivative. PEN_NOT_FINITE: a value of x.
 * PEN_BAD_DATA: a negative value with a total, or a value <= -1 with log1p (the message names row
 * and column); a sum or a derivative that overflows. Cost: one pass over the entries, times the
 * window; memory: 8 count kept bytes, or 12 for each sparse entry. */
pen_status pen_row_steps_apply(pen_run *run, const pen_row_steps *steps, const pen_array *x,
                               int64_t first, int64_t count, pen_array *out);

#endif
