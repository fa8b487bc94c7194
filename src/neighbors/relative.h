/* relative.h - the relative space: a row is the list of its distances to reference rows, all rows
 * or landmarks among them.
 *
 *   y_i = (|x_i - x_t|) over reference rows t          relative distance r_ij = |y_i - y_j|
 *
 * Rows near each other see the others at like distances; a row apart does not, so it moves away
 * from those it is near to. With landmarks R the distance is the sum over R alone (plain), which
 * leaves out its two largest terms, those of i and j themselves, or (corrected) an estimate of the
 * whole,
 *   r_ij^2 = 2 |x_i - x_j|^2 + (n - 2) / |R'| sum over t in R' of (|x_i - x_t| - |x_j - x_t|)^2,
 *       R' = R without i, j
 * which is exact for R = all rows. */
#ifndef PEN_RELATIVE_H
#define PEN_RELATIVE_H

#include "neighbors/neighbors.h"

enum pen_landmark_mode { PEN_LANDMARKS_PLAIN, PEN_LANDMARKS_CORRECTED };
extern const char *const pen_landmark_mode_names[];

typedef struct pen_relative {
    int64_t n, p, m; /* rows, their coordinates, reference rows */
    enum pen_landmark_mode mode;
    const int64_t *landmarks; /* [m] ascending, or NULL: all rows */
    const double *z;          /* [n x p] the rows, moved but not scaled */
    const double *z2;         /* [n] squared lengths */
    /* [m / lanes][p x lanes] coordinates of the reference rows, column by column */
    const double *panels;
    const int64_t *place; /* [n] which reference row a row is, or -1 */
    const double *middle; /* [m] about the middle distance to a reference row */
    /* [n x m] distances less that, or NULL: computed when they are wanted */
    const double *y;
    const double *y2; /* [n] squared lengths of these */
} pen_relative;

/* Bytes of distances that are stored rather than computed again and again. */
enum { PEN_RELATIVE_BYTES = 1 << 30 };

/* The relative space of x with the landmarks listed, different rows in ascending order; NULL: all
 * rows are reference rows. The distances are stored if they take `most_bytes` at most.
 * PEN_BAD_DATA: distances are not finite. Cost: n m p operations; memory: n p + m p, and n m,
 * doubles. */
pen_status pen_relative_open(pen_run *run, const pen_rows *x, const int64_t *landmarks,
                             int64_t count, enum pen_landmark_mode mode, int64_t most_bytes,
                             pen_relative *out);

/* `count` different rows out of n, ascending, the same for a seed on every machine; *landmarks in
 * scratch memory. */
pen_status pen_relative_landmarks(pen_run *run, int64_t n, int64_t count, uint64_t seed,
                                  const int64_t **landmarks);

/* The k nearest of all other rows in relative distance, 1 <= k <= n - 1: found [n x k], nearest
 * first, ties by row. Products of tiles, each pair of rows in one of them, rule out what is not
 * among the nearest, with a proven margin; the others are compared by direct differences, equal
 * rows being at distance 0.
 * Cost: n^2 m flops, and n^2 p with corrected landmarks; where distances are not stored, half as
 * much again. Memory: 50 to 340 MB beside the result. */
pen_status pen_relative_nearest(pen_run *run, const pen_relative *r, int64_t k,
                                pen_neighbor *found);

/* r_ij^2 by direct differences; work [2 m]. */
double pen_relative_distance2(const pen_relative *r, int64_t i, int64_t j, double *work);

/* Differences y_j - y_i to some neighbors j of i, each coordinate times the root of what it counts
 * in the distance; with corrected landmarks i and the neighbors are reference rows, too, of weight
 * 1. rows [count]; to [count x (m + count + 1)], of which *columns are filled, one behind the
 * other; work [2 m]. */
void pen_relative_differences(const pen_relative *r, int64_t i, const pen_neighbor *rows,
                              int64_t count, double *to, int64_t *columns, double *work);

/* ---- rows of the relative space, for searches in it ---- */

/* Coordinates first .. first + count - 1 of y_i less the middle of theirs; first a multiple of
 * 16. */
void pen_relative_coordinates(const pen_relative *r, int64_t i, int64_t first, int64_t count,
                              double *restrict to);

/* All of them; `buffer` [m] is used if they are not stored. */
const double *pen_relative_row(const pen_relative *r, int64_t i, double *buffer);

/* What the squares of n - 2 reference rows come to for each of those that are there, if `own` of
 * the m are the two rows themselves. */
double pen_relative_factor(const pen_relative *r, int64_t own);

/* r_ij^2 from y_i, which is there already; `buffer` [m] as above. */
double pen_relative_distance2_from(const pen_relative *r, int64_t i, const double *y_i, int64_t j,
                                   double *buffer);

#endif
