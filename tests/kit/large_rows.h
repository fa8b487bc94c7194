/* large_rows.h - many sparse rows with many columns; few columns are used. The expected result is
 * that of the used columns as dense rows. Unused columns vary slightly, because constant columns
 * would be dropped. */
#ifndef TEST_LARGE_ROWS_H
#define TEST_LARGE_ROWS_H

#include "check.h"

/* Sparse rows [n x d] with `used` columns, spread over all, that have numbers in a tenth of the
 * rows; and the used columns alone, dense. */
typedef struct large_rows {
    int64_t n, d, used;
    int64_t *starts;
    int32_t *columns;
    double *values, *dense;
} large_rows;

large_rows large_new(pen_rng *rng, int64_t n, int64_t d, int64_t used);

pen_array large_sparse(const large_rows *t);
pen_array large_dense(const large_rows *t); /* [n x used] */

/* The index of column j of d among the used ones, or -1. */
int64_t large_place(const large_rows *t, int64_t j);

/* Labels 0, 7 and 14 of `known` rows in random order. */
int32_t *large_labels(pen_rng *rng, const large_rows *t, int64_t known);

/* Pairs [count x 2] of 60 rows, spread over all: must-links within the classes number % 3,
 * cannot-links between them. */
void large_pairs(pen_rng *rng, const large_rows *t, int must, int64_t count, int64_t *pairs);

/* A fit of text with this status and error phrase; it lasts until the program ends. */
pen_model *large_fit(const pen_data *data, const char *text, int threads, pen_status code,
                     const char *phrase);

/* A fit on one thread has the same projection as the model, which was fitted on more. */
void large_same_bits(const large_rows *t, const pen_model *model, const pen_data *data,
                     const char *text);

/* The model of all columns, `whole`, matches the model of the used columns: dimensions,
 * eigenvalues, mean, column lengths and, where gaps define them, spans. */
void large_compare(const large_rows *t, const pen_model *model, const pen_model *whole,
                   double tolerance, const char *what);

#endif
