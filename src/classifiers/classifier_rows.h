/* classifier_rows.h - a classifier, and the rows to fit it to.
 *
 * Classifiers subtract the mean of the labelled rows and divide by one number, the root mean square
 * of all entries of all rows after that. So no result depends on the units of an embedding. A few
 * rows far from all other rows do not decide the number (pen_mean_of_most of the squares of
 * rows). */
#ifndef PEN_CLASSIFIER_ROWS_H
#define PEN_CLASSIFIER_ROWS_H

#include "core/rows.h"

enum pen_classifier_kind {
    PEN_CLASSIFIER_AUTO,
    PEN_CLASSIFIER_NEAREST,
    PEN_CLASSIFIER_NEIGHBORS,
    PEN_CLASSIFIER_MEANS,
    PEN_CLASSIFIER_LDA,
    PEN_CLASSIFIER_SELF_TRAINING,
    PEN_CLASSIFIER_LOGISTIC,
    PEN_CLASSIFIER_SCORES,
    PEN_CLASSIFIER_NONE
};

/* Rows of an embedding, and facts about them. */
typedef struct pen_embedded_rows {
    const double *z; /* [n x k] contiguous */
    int64_t n, k;
    const int32_t *labels; /* [n] class 0 .. classes - 1, or -1 */
    int64_t classes;
    const double *rounding; /* [k] smaller differences within a class count as 0; NULL: none */
    /* if these are only the labelled rows: the mean [k] of all rows, and the mean square of their
     * entries about it; else NULL */
    const double *mean;
    double spread;
} pen_embedded_rows;

typedef struct pen_classifier {
    enum pen_classifier_kind kind;
    int64_t k, classes;
    double divisor; /* for nearest, neighbors and means: rows are (z - center) / divisor */
    double *center; /* [k], or NULL: affine classifiers */
    int64_t count;  /* number of rows */
    /* [count x k] in these units. nearest, neighbors: the labelled rows, in the order of the rows;
     * means: the class means; else NULL */
    double *rows;
    int32_t *of;       /* [count] the class of each of rows; else NULL */
    int64_t neighbors; /* number of rows that vote */
    /* [count x classes] for neighbors that store all rows of a fit: the probabilities of each row,
     * which are its vote; rows and votes are rounded to float, and `of` is NULL. Else NULL: if `of`
     * is also NULL, p are the squared distances of the `neighbors` = `classes` nearest rows */
    double *votes;
    double width; /* means: p ~ exp(-|.|^2 / width), width = 2 s^2 sqrt(k) */
    /* [k x classes] affine classifiers: p = softmax(z weights + bias) for z as given; else NULL */
    double *weights;
    double *bias; /* [classes]; -INFINITY for a class without labels (only in trials) */
    /* [classes] frequencies that lda, self-training or logistic expect, after a fit; else NULL */
    const double *prior;
} pen_classifier;

/* The labelled rows of an embedding, and the units of classifiers. */
typedef struct pen_classifier_rows {
    const pen_embedded_rows *all;
    double *center; /* [k] */
    double divisor;
    double *square; /* [n] mean squares of rows in these units; NULL if some rows are absent */
    int64_t labelled;
    int64_t *members; /* [labelled] ascending */
    int32_t *of;      /* [labelled] their classes */
    int64_t *sizes;   /* [classes] number of labelled rows */
    int64_t present;  /* number of classes with labels */
} pen_classifier_rows;

/* The divisor is 1 if all rows are equal. The center, computed from differences to the first
 * labelled row, is exact if all labelled rows are equal.
 * PEN_NO_LABELS: no row is labelled. PEN_BAD_ARGUMENT: a label is not a class. PEN_BAD_DATA: a
 * value is not finite, or differences overflow. Cost: two passes. */
pen_status pen_classifier_rows_open(pen_run *run, const pen_embedded_rows *all,
                                    pen_classifier_rows *out);

/* to [k] = (z - center) / divisor. Entries are clipped to +-1e140, so that no square overflows. */
void pen_classifier_row(int64_t k, const double *center, double divisor, const double *z,
                        double *to);

#endif
