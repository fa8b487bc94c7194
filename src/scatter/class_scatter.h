/* class_scatter.h - labelled rows about their class means, shared by all scatters of labels.
 *
 * They are in double, whatever the precision of other blocks. These scatters are inverted: rounding
 * in single precision would hide that one is singular, or exceed a small multiple of the identity
 * that keeps it regular. */
#ifndef PEN_CLASS_SCATTER_H
#define PEN_CLASS_SCATTER_H

#include "core/rows.h"
#include "linalg/factored.h"

typedef struct pen_classes {
    pen_view x;          /* blocks in double */
    const double *means; /* [classes x d] class means of block rows */
    const double *mean;  /* [d] mean of all labelled block rows */
    /* [labelled] class of members[i]; NULL: the rows are absent (pen_view.class_moments) */
    const int64_t *class_of;
    /* [d] bound on the error of centered rows from the rounding of rows and means */
    const double *rounding;
    const double *factor; /* [labelled] factors of the rows, or NULL */
} pen_classes;

pen_status pen_classes_open(pen_run *run, const pen_view *x, pen_classes *out);

/* B += weight S_b as in pen_scatter_classes; the caller records the rank. */
pen_status pen_scatter_between(pen_run *run, double weight, const pen_classes *classes, pen_sym *B);

/* Adds `between` S_b and `within` S_w of pen_scatter_classes; a weight of 0 costs nothing. */
pen_status pen_scatter_classes_weighted(pen_run *run, double between, double within,
                                        const pen_view *x, pen_sym *B, pen_sym *C);

/* S_w of pen_scatter_classes by itself, stored as its rows if there are fewer of them than columns.
 * Cost: n' d^2, or n' d. */
pen_status pen_scatter_within(pen_run *run, const pen_classes *classes, pen_factored *S_w);

/* Writes the mean of class a minus that of class b into row [d]; differences within rounding become
 * 0. */
void pen_classes_difference(const pen_classes *classes, int64_t a, int64_t b, double *row);

/* Sorts the classes from largest to smallest into order [classes]; ties: the first label first. */
void pen_classes_by_size(const pen_view *x, int64_t *order);

/* Writes labelled rows members[first .. first + count), minus their class means, times their
 * factors, into block [count x d] of doubles. A pen_fill_fn. */
void pen_classes_fill(const void *classes, int64_t first, int64_t count, void *block);

#endif
