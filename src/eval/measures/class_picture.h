/* class_picture.h - the two coordinates of a projection that show classes best. */
#ifndef PEN_CLASS_PICTURE_H
#define PEN_CLASS_PICTURE_H

#include "core/run.h"

typedef struct pen_picture {
    const char *method; /* "self", "fda" or "nca"; NULL: no picture */
    double *columns;    /* [k x 2] in scratch memory: the picture of row z is z columns; or NULL */
    double shown; /* the fraction of the 10 nearest rows in the picture with the row's class */
} pen_picture;

/* The picture of rows z [n x k] and their classes [n], >= 0: the columns of SELF, fitted with all
 * classes as labels, of FDA, or of neighborhood components that start from the better of these,
 * whichever has the largest `shown`; ties go to the first. The coordinates are uncorrelated with
 * deviation 1 over the rows, and the first one separates the classes most; the largest number of
 * each column is positive. There is no picture with fewer than two columns, two classes or four
 * rows, or if neither SELF nor FDA gives two coordinates.
 * Cost: both fits, exact neighbors of n rows in two dimensions three times, and 15 sums over pairs
 * of at most 1000 rows. */
pen_status pen_picture_find(pen_run *run, int64_t n, int64_t k, const double *z,
                            const int32_t *classes, const pen_control *control, pen_picture *out);

#endif
