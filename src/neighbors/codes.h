/* codes.h - rows as codes of one byte per coordinate, so that tiles of dot products bound their
 * distances.
 *
 * Rows of whole numbers that span at most 255 are their own codes, up to a shift: squared distances
 * are exact integers. Other rows are rotated, which spreads every coordinate over all of them, and
 * then approximated,
 *
 *   rotated row = scale * code + residual,
 *
 * with a scale and the length of the residual for each row. The distance of two rows differs from
 * that of their approximations by at most the sum of the lengths of their residuals. */
#ifndef PEN_CODES_H
#define PEN_CODES_H

#include "core/rows.h"
#include "products/tiles.h"

/* How rows become codes; the same for all rows of a comparison. */
typedef struct pen_coding {
    const pen_tiles *tiles;
    int64_t d, depth; /* columns, and codes of a row: d and padding zeros */
    int whole;
    double lowest; /* whole: the value whose code is -128. Near 2^60 the next 128 values are
                      not all doubles, but differences of values are exact */
    double unit;   /* lengths are multiplied by this power of two, 1 if whole */
    double error;  /* otherwise: bound on the error of a coded row before it is rounded to codes, */
    double absolute;      /* error |row| + absolute */
    const double *center; /* [d] subtracted from the blocks of rows; NULL: 0 */
    const double *signs;  /* [2 x d] 1 or -1: a rotation begins with these */
} pen_coding;

/* Computed distances of coded rows differ from the true ones by at most this fraction: (d + 2)
 * units of rounding, d at most 2^16. Distances that tie differ by less. */
static const double PEN_DISTANCE_ROUNDING = 1e-9;

/* The codes of some rows. Arrays have `padded` entries, a multiple of 32; entries beyond `count`
 * belong to zero codes. */
typedef struct pen_codes {
    int64_t count, padded;
    int8_t *panels;       /* [padded / 16 panels] */
    int32_t *length2;     /* |code|^2 */
    int32_t *base;        /* right-hand base for the filters of tiles.h */
    float *scale, *twice; /* the scale, and two times it */
    float *slack;         /* at least the length of the residual and all errors */
    float *low;           /* scale^2 |code|^2, lowered as pen_scaled_filter needs it */
} pen_codes;

/* Decides how to code rows of x, and `others` with the same columns in the same units (NULL: none).
 * *suits: 0 if codes do not suit: few columns, overflowing lengths, or all rows equal. Cost: a pass
 * over the rows. */
pen_status pen_coding_open(pen_run *run, const pen_view *x, const pen_view *others,
                           pen_coding *coding, int *suits);

/* The rows to code instead of x: x, or the rows that x is a reduction of. */
static inline const pen_view *pen_coded_rows(const pen_coding *coding, const pen_view *x)
{
    return coding->whole && x->source ? x->source : x;
}

/* Rows first .. first + count - 1, or members[first ..], of x = pen_coded_rows(..) before coding,
 * block [count x d]: whole numbers in [-128, 127], or lengths of at most 1 known to
 * error |row| + absolute. */
void pen_coding_block(const pen_coding *coding, const pen_view *x, const int64_t *members,
                      int64_t first, int64_t count, double *block);

/* The codes of rows members[0 .. count) of `x`, in scratch memory; d + 24 bytes per row. */
pen_status pen_codes_make(pen_run *run, const pen_coding *coding, const pen_view *x,
                          const int64_t *members, int64_t count, pen_codes *out);

#endif
