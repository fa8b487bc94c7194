/* array.h - the values of a caller's array: checked, read one by one, and gathered block by block.
 *
 * Element (i, j) of an array is values[i * stride + j * step]: rows and columns may have any
 * spacing, as in column-major arrays and views. No other code needs to know. With `starts` rows are
 * sparse (sparse_array.h); reading and gathering also work for them. */
#ifndef PEN_ARRAY_H
#define PEN_ARRAY_H

#include "core/dtype.h"
#include "core/run.h"
#include "core/sparse_array.h"

/* Elements between consecutive columns of dense rows. */
static inline int64_t pen_step(const pen_array *x)
{
    return x->step ? x->step : 1;
}

/* 1 if the values of a row lie together, so that pen_row_at has all of them. */
static inline int pen_is_contiguous(const pen_array *x)
{
    return !x->starts && pen_step(x) == 1;
}

/* The first element of a dense row. */
static inline const void *pen_row_at(const pen_array *x, int64_t row)
{
    return (const char *)x->values + row * x->stride * (int64_t)pen_size(x->dtype);
}

static inline double pen_value_at(const pen_array *x, int64_t row, int64_t column)
{
    if (x->starts)
        return pen_sparse_value(x, row, column);
    return pen_load_value(x->dtype, x->values, row * x->stride + column * pen_step(x));
}

/* For an array without gaps between rows: the index of the first number that row i stores (i =
 * rows: the end), and the column of entry e. */
static inline int64_t pen_row_start(const pen_array *x, int64_t i)
{
    return x->starts ? x->starts[i] : i * x->cols;
}

static inline int64_t pen_entry_column(const pen_array *x, int64_t e)
{
    return x->starts ? x->columns[e] : e % x->cols;
}

/* 1 if `count` consecutive values are finite. */
int pen_finite_values(pen_dtype type, const void *values, int64_t count);

/* Columns column .. column + cols - 1 of rows first .. first + count - 1, or of rows[first .. first
 * + count - 1] if `rows` is given, as `type` into block [count x cols]. `type` is that of the array
 * or a finer one, so that no value is rounded. Consecutive rows are gathered in tiles. */
void pen_array_gather(const pen_array *x, const int64_t *rows, int64_t first, int64_t count,
                      int64_t column, int64_t cols, pen_dtype type, void *block);

/* Copy rows [count] of x into contiguous scratch memory, sparse rows into sparse ones; out may be
 * x. */
pen_status pen_array_pick(pen_run *run, const pen_array *x, int64_t count, const int64_t *rows,
                          pen_array *out);

/* Converts dense rows to sparse rows in scratch memory; sparse rows stay as they are. out may be x.
 * Cost: two passes. */
pen_status pen_array_sparse(pen_run *run, const pen_array *x, pen_array *out);

/* 1 if the span of the strides fits in memory. */
int pen_array_fits(const pen_array *x);

/* Checks that the library can read the array: PEN_BAD_ARGUMENT, PEN_BAD_DATA. `what` names it in
 * messages. */
pen_status pen_array_check(pen_run *run, const pen_array *x, const char *what);

/* Stores a row [count] as numbers of `type`, from element `at` of z on. Returns 0 and stores
 * nothing if a number does not fit. */
int pen_store_row(pen_dtype type, int64_t count, const double *from, void *z, int64_t at);

#endif
