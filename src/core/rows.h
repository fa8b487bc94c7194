/* rows.h - the rows a method learns from: borrowed values, column statistics, classes, and blocks
 * of centered coordinates.
 *
 * The rows as methods see them are x = scale (u v - mean): v as given, u = 1 or 1/|v|, mean the
 * mean of all u v, scale per column. They are never stored: blocks are computed when they are
 * wanted, in double, or in single precision when the values given are no finer and there are
 * many. */
#ifndef PEN_ROWS_H
#define PEN_ROWS_H

#include "core/run.h"

enum pen_scale { PEN_SCALE_NONE, PEN_SCALE_STANDARD, PEN_SCALE_MINMAX };
enum pen_normalize { PEN_NORMALIZE_NONE, PEN_NORMALIZE_L2 };

/* The parameters every method has. */
typedef struct pen_common {
    int64_t dim; /* 0: all */
    int allow_fewer;
    enum pen_scale scale;
    enum pen_normalize normalize;
    /* 0: off; (0, 1): fraction of the variance; whole number >= 1: count; infinite: the rank */
    double pca;
} pen_common;

typedef struct pen_rows {
    pen_array values;
    int64_t n, d;
    int unit; /* u = 1/|v| */
    /* 1: squares of values are numbers with all their digits; 0: nobody knows */
    int squares_hold;
    /* 1: coordinates in place of the values given; their origin is the mean */
    int reduced;
    /* rows these are all coordinates of, at the same distances but for rounding; or NULL */
    const struct pen_rows *source;
    pen_dtype work; /* precision of blocks: PEN_F64 or PEN_F32 */
    /* relative rounding error of sums of products of block elements */
    double epsilon;
    const double *mean;  /* [d] of u v */
    const double *scale; /* [d] or NULL: 1 */
    /* [d] subtracted from u v instead of the mean where exactness wants it: a double, a float or a
     * whole number */
    const double *origin;
    const float *single; /* [2 x d] origin and scale as floats, for blocks of PEN_F32 */
    /* [d] scale (mean - origin): the mean of block rows; differences of rows do not feel it */
    const double *offset;
    /* [d] how much centered rows may be off for the rounding of the mean and of u v */
    const double *rounding;

    int64_t labelled, classes;
    const int64_t *members; /* [labelled] labelled rows, class after class, ascending in each */
    const int64_t *starts;  /* [classes + 1] class c is members[starts[c] .. starts[c + 1]) */

    const struct pen_cache_key *key; /* of these very rows in the cache of the run; NULL: none */

    /* must-links and cannot-links (pairs/pairs.h), for methods that learn from pairs; or NULL */
    const struct pen_pairs *pairs;
} pen_rows;

/* Statistics and classes of checked data. PEN_BAD_DATA, PEN_NOT_FINITE as pen_fit. Everything lives
 * in scratch memory. Cost: one to three passes. */
pen_status pen_rows_open(pen_run *run, const pen_data *data, const pen_common *common,
                         pen_rows *out);

/* The smallest and the largest value of each column, [d] in scratch memory, as pen_rows_centered
 * gives them. Cost: a pass. */
pen_status pen_rows_extremes(pen_run *run, const pen_rows *x, double **low, double **high);

/* The standard deviation of each column [d], whatever the size of its values; 0 where it is no more
 * than rounding. Cost: two passes. */
pen_status pen_rows_deviations(pen_run *run, const pen_rows *x, double *deviation);

/* PEN_BAD_DATA where squares of the values, and sums of those, would underflow or overflow.
 * may_scale:
 * the user can have the columns scaled. Cost: nothing, mostly; a pass over strange rows. */
pen_status pen_rows_need_squares(pen_run *run, const pen_rows *x, int may_scale);

/* The classes of labels [n] alone; labels NULL: none. */
pen_status pen_rows_label(pen_run *run, const int32_t *labels, int64_t n, pen_rows *out);

/* The same classes over other coordinates: y [n x d] doubles of mean zero. */
pen_status pen_rows_replace(pen_run *run, const pen_rows *from, const double *y, int64_t d,
                            pen_rows *out);

/* Rows first .. first + count - 1, or those of members[] if `members` is given, as scale (u v -
 * origin) into block [count x d] of x->work. */
void pen_rows_block(const pen_rows *x, const int64_t *members, int64_t first, int64_t count,
                    void *block);

/* The same rows in double and centered: scale (u v - mean). */
void pen_rows_centered(const pen_rows *x, const int64_t *members, int64_t first, int64_t count,
                       double *block);

/* x_i - x_j [d] in double by direct differences: exactly 0 for equal rows. */
void pen_rows_difference(const pen_rows *x, int64_t i, int64_t j, double *to);

/* |x_i - x_j|^2 by direct differences, of the source if there is one: exactly 0 for equal rows. */
double pen_rows_distance2(const pen_rows *x, int64_t i, int64_t j);

/* |row|^2 of each row of a block [count x d]. */
void pen_squared_lengths(pen_dtype type, const void *block, int64_t count, int64_t d,
                         double *lengths);

/* The same rows with blocks whose sums of products are as exact as doubles. */
static inline pen_rows pen_rows_precise(const pen_rows *x)
{
    pen_rows out = *x;
    if (out.epsilon > 0x1p-52) {
        out.work = PEN_F64;
        out.epsilon = 0x1p-52;
    }
    return out;
}

static inline int64_t pen_class_size(const pen_rows *x, int64_t c)
{
    return x->starts[c + 1] - x->starts[c];
}

static inline size_t pen_size(pen_dtype type)
{
    return type == PEN_F64 ? 8 : type == PEN_F32 ? 4 : 1;
}

/* 1 if all d values are finite. */
int pen_all_finite(const double *row, int64_t d);

/* Why row `row` cannot be used: PEN_NOT_FINITE names the first value that is not finite; if all
 * are, they are too large: PEN_BAD_DATA. */
pen_status pen_rows_refuse(pen_run *run, const pen_array *x, int64_t row);

/* The array is one the library can read: PEN_BAD_ARGUMENT, PEN_BAD_DATA. `what` names it in
 * messages. */
pen_status pen_array_check(pen_run *run, const pen_array *x, const char *what);

#endif
