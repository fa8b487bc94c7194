/* classifier_rows.h - what a classifier is, and the rows it is fitted on.
 *
 * Classifiers see rows less the mean of the labelled ones, divided by one number, the root mean
 * square of all entries of all rows after that, so that no result depends on the units of an
 * embedding; a few rows far from all others do not decide it (pen_mean_of_most of the squares of
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

/* Rows of an embedding, and what is known of them. */
typedef struct pen_embedded_rows {
    const double *z; /* [n x k] contiguous */
    int64_t n, k;
    const int32_t *labels; /* [n] class 0 .. classes - 1, or -1 */
    int64_t classes;
    const double *rounding; /* [k] differences within a class up to this are 0; NULL: none */
    /* where these are the labelled ones of more rows: the mean [k] of all rows, and the mean square
     * of their entries about it; else NULL */
    const double *mean;
    double spread;
} pen_embedded_rows;

typedef struct pen_classifier {
    enum pen_classifier_kind kind;
    int64_t k, classes;
    double divisor; /* of nearest, neighbors and means: rows are (z - center) / divisor */
    double *center; /* [k], or NULL: affine classifiers */
    int64_t count;  /* of rows */
    /* [count x k] in these units. nearest, neighbors: the labelled rows, in the order of the rows;
     * means: the class means; else NULL */
    double *rows;
    int32_t *of;       /* [count] the class of each of rows; else NULL */
    int64_t neighbors; /* how many rows vote */
    /* [count x classes] neighbors whose rows are all rows of a fit: the probabilities of each,
     * which are its vote; rows and votes are rounded to float, and `of` is NULL. Else NULL: with
     * `of` NULL, too, p are the squared distances of the `neighbors` = `classes` nearest rows */
    double *votes;
    double width; /* means: p ~ exp(-|.|^2 / width), width = 2 s^2 sqrt(k) */
    /* [k x classes] affine classifiers: p = softmax(z weights + bias), of z as given; else NULL */
    double *weights;
    double *bias; /* [classes]; -INFINITY for a class without labels (only in trials) */
    /* [classes] the shares that lda, self-training or logistic expect, after a fit; else NULL */
    const double *prior;
} pen_classifier;

/* The labelled rows of an embedding, and the units of classifiers. */
typedef struct pen_classifier_rows {
    const pen_embedded_rows *all;
    double *center; /* [k] */
    double divisor;
    double *square; /* [n] mean squares of rows in these units; NULL if they are not all here */
    int64_t labelled;
    int64_t *members; /* [labelled] ascending */
    int32_t *of;      /* [labelled] their classes */
    int64_t *sizes;   /* [classes] labelled rows of each */
    int64_t present;  /* classes that have some */
} pen_classifier_rows;

/* The divisor is 1 if all rows are equal. The center, computed from differences to the first
 * labelled row, is exact where labelled rows are equal.
 * PEN_NO_LABELS: no row is labelled. PEN_BAD_ARGUMENT: a label is no class. PEN_BAD_DATA: a value
 * is not finite, or differences overflow. Cost: two passes. */
pen_status pen_classifier_rows_open(pen_run *run, const pen_embedded_rows *all,
                                    pen_classifier_rows *out);

/* to [k] = (z - center) / divisor. Entries end at +-1e140, so that no square overflows. */
void pen_classifier_row(int64_t k, const double *center, double divisor, const double *z,
                        double *to);

#endif
