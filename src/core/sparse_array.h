/* sparse_array.h - sparse rows of a caller (CSR): checked, found, gathered and compared, without a
 * dense copy. Entries of row i are starts[i] .. starts[i + 1] - 1. */
#ifndef PEN_SPARSE_ARRAY_H
#define PEN_SPARSE_ARRAY_H

#include "core/run.h"

static inline int pen_is_sparse(const pen_array *x)
{
    return x->starts != NULL;
}

/* The value of entry e. */
static inline double pen_entry(const pen_array *x, int64_t e)
{
    return x->dtype == PEN_F64   ? ((const double *)x->values)[e]
           : x->dtype == PEN_F32 ? (double)((const float *)x->values)[e]
                                 : (double)((const unsigned char *)x->values)[e];
}

/* Checks starts and columns: PEN_BAD_DATA names the row. `what` names the array in messages. Cost:
 * one pass over the columns. */
pen_status pen_sparse_check(pen_run *run, const pen_array *x, const char *what);

/* The first entry of a row in `column` or later; starts[row + 1]: none. */
int64_t pen_sparse_find(const pen_array *x, int64_t row, int64_t column);

/* One value, by a search in the row. */
double pen_sparse_value(const pen_array *x, int64_t row, int64_t column);

/* Columns column .. column + cols - 1 of a row, as `type`, which is that of the array or a finer
 * one. */
void pen_sparse_gather(const pen_array *x, int64_t row, int64_t column, int64_t cols,
                       pen_dtype type, void *to);

/* Copy rows [count] into scratch memory, sparse again; out may be x. */
pen_status pen_sparse_pick(pen_run *run, const pen_array *x, int64_t count, const int64_t *rows,
                           pen_array *out);

/* |v| of a row as a product of two factors, so that it neither overflows nor underflows; 1 and 1
 * for a zero row. The same bits as for dense rows. */
void pen_sparse_length(const pen_array *x, int64_t row, double *largest, double *rest);

/* A row to compare: each value is divided by `largest`, then by `rest`. */
typedef struct pen_sparse_row {
    const pen_array *values;
    int64_t row;
    double largest, rest;
} pen_sparse_row;

/* The sum of (scale_j (p_j - q_j))^2 over the columns in which a or b has an entry; scale NULL: 1.
 * The same bits as for dense rows in the order of pen_difference2 in segments of `segment` columns,
 * a multiple of 8. unit: divide values by the lengths of rows. */
double pen_sparse_distance2(pen_sparse_row a, pen_sparse_row b, int unit, const double *scale,
                            int64_t segment);

#endif
