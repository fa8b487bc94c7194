/* class_scatter.h - labelled rows about their class means: what the scatters of labels share.
 *
 * In double, whatever the precision of other blocks: these scatters are inverted, and rounding in
 * single precision would hide that one is singular, or outweigh a small multiple of the identity
 * that keeps it from being so. */
#ifndef PEN_CLASS_SCATTER_H
#define PEN_CLASS_SCATTER_H

#include "core/rows.h"
#include "linalg/sym.h"

typedef struct pen_classes {
    pen_rows x;              /* with blocks in double */
    const double *means;     /* [classes x d] of block rows */
    const double *mean;      /* [d] of all labelled block rows */
    const int64_t *class_of; /* [labelled] class of members[i] */
    /* [d] how much centered rows may be off, for the rounding of rows and means */
    const double *rounding;
    const double *factor; /* [labelled] or NULL: what a row is multiplied with */
} pen_classes;

pen_status pen_classes_open(pen_run *run, const pen_rows *x, pen_classes *out);

/* B += weight S_b, as pen_scatter_classes; what its rank is, is left to the caller to note. */
pen_status pen_scatter_between(pen_run *run, double weight, const pen_classes *classes, pen_sym *B);

/* Labelled rows members[first .. first + count) minus their class means, times their factors, into
 * block [count x d] of doubles. A pen_fill_fn. */
void pen_classes_fill(const void *classes, int64_t first, int64_t count, void *block);

#endif
