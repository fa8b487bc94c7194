/* rows.h - the rows that a method learns from: borrowed values, column statistics, classes, blocks
 * of centered coordinates.
 *
 * Methods see the rows
 *
 *   x = scale (u v - mean)
 *
 * with v the given row, u = 1 or 1/|v|, mean the mean of all u v, and scale a factor for each
 * column. They are never stored: blocks are computed on demand, in double, or in single precision
 * if the given values are no finer and there are many. Blocks of sparse rows are in double. Their
 * origin is 0, except in columns with entries in more than half of the rows, so they are as sparse
 * as the rows; `offset` corrects sums over them. */
#ifndef PEN_ROWS_H
#define PEN_ROWS_H

#include "core/cache.h"

enum pen_scale { PEN_SCALE_NONE, PEN_SCALE_STANDARD, PEN_SCALE_MINMAX, PEN_SCALE_AUTO };

/* Classes whose sums are known, perhaps without their rows. */
typedef struct pen_class_moments {
    int64_t count;
    const int64_t *starts; /* [count + 1] class c has starts[c + 1] - starts[c] rows */
    const double *means;   /* [count x d] of rows as given */
    const double *within;  /* packed [d (d + 1) / 2]: rows about the means of their classes */
} pen_class_moments;

/* Sums over all rows of a fit, from merged statistics (stats/stats.h); only some rows are present.
 * They are sums of the given rows after row steps. */
typedef struct pen_moments {
    const char *method; /* the method to fit, for messages */
    const char *merges; /* the order of merges */
    int64_t n;
    int unit;                         /* 1: the rows were normalized */
    const double *low;                /* [d] */
    const double *high;               /* [d] */
    const double *mean;               /* [d] */
    const double *scatter;            /* packed lower triangle [d (d + 1) / 2], about the mean */
    const pen_class_moments *classes; /* of labels whose rows are absent; or NULL */
    /* chunks of rows that must-links join, instead of must-links; or NULL */
    const pen_class_moments *chunks;
    const int64_t *numbers; /* [rows present] their numbers among all rows, ascending */
    /* [rows present x near] for labelled rows, the squared distances to the nearest of all rows, in
     * the units of the fit; or NULL */
    const double *near_distance2;
    int64_t near;
} pen_moments;

/* Blocks of sparse rows as a sparse matrix, by rows and by columns. linalg/sparse_rows.h makes it
 * once; the type is here because pen_view carries it. */
typedef struct pen_sparse_rows {
    int64_t n, d;
    const int64_t *starts;   /* [n + 1] row i has the entries starts[i] .. starts[i + 1] - 1, */
    const int32_t *columns;  /* [entries] in ascending columns */
    const double *values;    /* [entries] */
    const int64_t *tops;     /* [d + 1] the same by columns: tops[j] .. tops[j + 1] - 1, */
    const int32_t *rows;     /* [entries] in ascending rows */
    const double *by_column; /* [entries] */
    const double *offset;    /* [d] */
} pen_sparse_rows;

typedef struct pen_view {
    pen_array values;
    int64_t n, d;
    const pen_cache_key *key; /* of these rows in the cache of the run; NULL: not cached */
    /* NULL: all rows are present; otherwise n of them, and sums over all rows are in moments */
    const pen_moments *moments;
    /* the classes as sums, if their rows are absent, and then `members` is NULL; or NULL */
    const pen_class_moments *class_moments;
    int unit; /* u = 1/|v| */
    /* 1: squares of values are known to neither underflow nor overflow; 0: unknown */
    int squares_hold;
    /* 1: coordinates after a reduction, not the given values; their origin is the mean */
    int reduced;
    /* rows with the same distances up to rounding, from which these coordinates come; or NULL */
    const struct pen_view *source;
    pen_dtype work; /* precision of blocks: PEN_F64 or PEN_F32 */
    /* relative rounding error of sums of products of block elements */
    double epsilon;
    const double *mean;  /* [d] of u v */
    const double *scale; /* [d] or NULL: 1 */
    /* [d] standard deviation of u v, 0 if within rounding, without far rows if these were
     * requested; NULL after a reduction */
    const double *deviation;
    int64_t scaled_columns; /* columns whose units scale auto removed */
    int64_t far_count;      /* rows far from all others, if requested */
    const int64_t *far_rows;
    /* [d] subtracted from u v: the mean; a float or integer that keeps differences exact; or 0 in
     * sparse columns of sparse rows */
    const double *origin;
    const float *single; /* [2 x d] origin and scale as floats, for blocks of PEN_F32 */
    /* [d] scale (mean - origin), the mean of block rows; it cancels in differences of rows. For
     * sparse rows it includes the rounding of the mean. */
    const double *offset;
    /* [d] bound on the error of centered rows from the rounding of the mean and of u v */
    const double *rounding;

    int64_t labelled, classes;
    const int64_t *members; /* [labelled] labelled rows, grouped by class, ascending in each */
    const int64_t *starts;  /* [classes + 1] class c is members[starts[c] .. starts[c + 1]) */
    /* [n] the first row of each row's group, which is held out as a whole; NULL: no groups */
    const int64_t *group;

    /* [d] after a reduction: the mean of the rows as given, scaled, in these coordinates */
    const double *given_mean;

    /* sparse rows: the entries of their blocks (linalg/sparse_rows.h), or NULL: not opened */
    const pen_sparse_rows *entries;
} pen_view;

static inline int pen_rows_are_sparse(const pen_view *x)
{
    return pen_is_sparse(&x->values);
}

/* Computes the statistics and classes of `data`, whose rows are divided by their lengths if `unit`
 * is set. PEN_BAD_DATA, PEN_NOT_FINITE as in pen_fit. All results live in scratch memory. Cost: one
 * to three passes. */
pen_status pen_rows_open(pen_run *run, const pen_data *data, int unit, enum pen_scale scale,
                         pen_view *out);

/* The same with a key, if the run has a cache; the cache then keeps what does not depend on
 * labels. */
pen_status pen_rows_open_shared(pen_run *run, const pen_data *data, int unit, enum pen_scale scale,
                                pen_view *out);

/* A key for a kind of result of these rows and a number, in scratch memory, with all else zero;
 * NULL: the rows are not cached. */
pen_status pen_rows_key(pen_run *run, const pen_view *x, int64_t kind, double number,
                        pen_cache_key **out);

/* Like pen_rows_open, for rows whose sums are in `moments`. x [n x d], doubles after row steps, has
 * the rows that are present, with their labels [n] or NULL. Columns are scaled by the moments.
 * Cost: n d. */
pen_status pen_rows_open_moments(pen_run *run, const pen_moments *moments, const pen_array *x,
                                 const int32_t *labels, enum pen_scale scale, pen_view *out);

/* Copies rows numbers [count], ascending, of x, with the same scale, about their own mean, and with
 * the classes that have rows among them. Sparse rows stay sparse. */
pen_status pen_rows_open_part(pen_run *run, const pen_view *x, int64_t count,
                              const int64_t *numbers, pen_view *out);

/* The number of all rows, present or not. */
static inline int64_t pen_rows_count(const pen_view *x)
{
    return x->moments ? x->moments->n : x->n;
}

/* The number of a row among all rows. */
static inline int64_t pen_rows_number(const pen_view *x, int64_t row)
{
    return x->moments ? x->moments->numbers[row] : row;
}

/* The minimum and the maximum of each column, [d] in scratch memory, of the values that
 * pen_rows_centered returns. Cost: one pass. */
pen_status pen_rows_extremes(pen_run *run, const pen_view *x, double **low, double **high);

/* The standard deviation of each column [d], for values of any magnitude; 0 if it is within
 * rounding. Cost: two passes. */
pen_status pen_rows_deviations(pen_run *run, const pen_view *x, double *deviation);

/* PEN_BAD_DATA if squares of the values, or sums of squares, would underflow or overflow.
 * may_scale: the message suggests scaling the columns. Cost: usually none; one pass over unusual
 * data. */
pen_status pen_rows_need_squares(pen_run *run, const pen_view *x, int may_scale);

/* Sets only the classes, from labels [n]; NULL: no labels. */
pen_status pen_rows_label(pen_run *run, const int32_t *labels, int64_t n, pen_view *out);

/* class_of [x->n], in scratch memory: the class of each row, or PEN_UNLABELLED. */
pen_status pen_rows_classes(pen_run *run, const pen_view *x, int32_t **class_of);

/* Sets only the groups, from groups [out->n] as in pen_data; NULL: there are none. */
pen_status pen_rows_group(pen_run *run, const int32_t *groups, pen_view *out);

/* The same classes with new coordinates y [n x d], doubles of mean zero, and their rounding [d];
 * NULL: at most that of a column of `from`. */
pen_status pen_rows_replace(pen_run *run, const pen_view *from, const double *y, int64_t d,
                            const double *rounding, pen_view *out);

/* Writes rows first .. first + count - 1, or members[first .. first + count - 1] if `members` is
 * given, as scale (u v - origin) into block [count x d] of type x->work. */
void pen_rows_block(const pen_view *x, const int64_t *members, int64_t first, int64_t count,
                    void *block);

/* The same rows, centered, in double: scale (u v - mean). */
void pen_rows_centered(const pen_view *x, const int64_t *members, int64_t first, int64_t count,
                       double *block);

/* The squared lengths of the centered rows, squares [n], and their sum. */
pen_status pen_rows_squares(pen_run *run, const pen_view *x, double *squares);
pen_status pen_rows_square_sum(pen_run *run, const pen_view *x, double *sum);

/* x_i - x_j [d] in double by direct differences: exactly 0 for equal rows. */
void pen_rows_difference(const pen_view *x, int64_t i, int64_t j, double *to);

/* |x_i - x_j|^2 by direct differences, computed from the source if there is one: exactly 0 for
 * equal rows. */
double pen_rows_distance2(const pen_view *x, int64_t i, int64_t j);

/* |x_i - y_j|^2 in the same way, for rows of two arrays in the same units. */
double pen_rows_distance2_between(const pen_view *x, int64_t i, const pen_view *y, int64_t j);

/* |v| of a row as given, as a product of two factors, so that it neither overflows nor underflows;
 * 1 for a zero row. */
typedef struct pen_row_length {
    double largest, rest;
} pen_row_length;
pen_row_length pen_length_of_row(const pen_array *values, int64_t row);

/* |row|^2 of each row of a block [count x d]. */
void pen_squared_lengths(pen_dtype type, const void *block, int64_t count, int64_t d,
                         double *lengths);

/* Prefetches a row that pen_rows_distance2 will soon read, because rows in random order come late
 * from memory. */
static inline void pen_rows_fetch(const pen_view *x, int64_t i)
{
    const pen_array *const a = x->source ? &x->source->values : &x->values;
    const int is_contiguous = pen_is_contiguous(a);
    const char *const row = is_contiguous ? pen_row_at(a, i) : NULL;
    const int64_t size = a->cols * (int64_t)pen_size(a->dtype);

    for (int64_t at = 0; is_contiguous && at < size && at < 4096; at += 64)
        __builtin_prefetch(row + at);
}

/* The same rows with blocks whose sums of products have double accuracy. */
static inline pen_view pen_rows_precise(const pen_view *x)
{
    pen_view out = *x;
    if (out.epsilon > 0x1p-52) {
        out.work = PEN_F64;
        out.epsilon = 0x1p-52;
    }
    return out;
}

static inline int64_t pen_class_size(const pen_view *x, int64_t c)
{
    return x->starts[c + 1] - x->starts[c];
}

/* The number of labelled rows of the largest class. */
int64_t pen_class_largest(const pen_view *x);

/* 1 if all d values are finite. */
int pen_all_finite(const double *row, int64_t d);

/* Fails with the reason why row `row` is unusable: PEN_NOT_FINITE names the first non-finite value;
 * if all are finite, they are too large: PEN_BAD_DATA. */
pen_status pen_rows_refuse(pen_run *run, const pen_array *x, int64_t row);

#endif
