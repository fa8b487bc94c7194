/* nearest.h - predicts for held-out rows the class of their nearest known row, in the first 1, 2,
 * .. dimensions of an embedding. */
#ifndef PEN_NEAREST_H
#define PEN_NEAREST_H

#include "core/run.h"

typedef struct pen_nearest {
    int64_t d;                     /* dimensions */
    int64_t known, hidden;         /* the numbers of rows */
    const double *known_rows;      /* [known x d] */
    const double *hidden_rows;     /* [hidden x d] */
    const int32_t *known_classes;  /* [known] */
    const int32_t *hidden_classes; /* [hidden] the true ones */
} pen_nearest;

/* correct[i], i < count <= d: the number of hidden rows whose nearest known row in dimensions 0 ..
 * d - count + i, the lower of equally near ones, has their class. Cost: hidden known (d +
 * count). */
pen_status pen_nearest_correct(pen_run *run, const pen_nearest *rows, int64_t count,
                               int64_t *correct);

#endif
