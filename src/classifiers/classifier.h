/* classifier.h - which class is this row: classifiers of an embedding. */
#ifndef PEN_CLASSIFIER_H
#define PEN_CLASSIFIER_H

#include "classifiers/classifier_rows.h"
#include "core/params.h"

/* "auto", "nearest", "neighbors", "means", "lda", "self-training", "logistic", "scores", "none" */
extern const char *const pen_classifier_names[];

#define PEN_TEMPERATURE_AUTO (-1)

/* How the classes of rows are read from their embedding. */
typedef struct pen_classifier_params {
    enum pen_classifier_kind kind;
    int64_t neighbors;  /* that vote */
    int prior;          /* enum pen_prior, also of class scores */
    double temperature; /* 0: none; PEN_TEMPERATURE_AUTO: by trials */
} pen_classifier_params;

/* A classifier as a text (core/params.h) such as "neighbors:3", bound to pen_classifier_params. */
extern const pen_text_form pen_classifier_form;

/* Fits a classifier, of the kinds PEN_CLASSIFIER_NEAREST .. PEN_CLASSIFIER_LOGISTIC. Memory of *out
 * is scratch of the run. Notes "classifier_shrinkage", the rho of lda and self-training
 * (lda_classifier.h), and the "classifier_rounds" and "classifier_pseudo" of self-training
 * (classifier.c).
 *
 * lda needs only the labelled rows: `e` may contain those alone. Its p depend on the divisor, and
 * so on the other rows, only if the residuals of the labelled ones about their class means are all
 * 0, as with one label a class.
 * PEN_NO_LABELS: no row is labelled. PEN_BAD_ARGUMENT: a parameter or a label. PEN_BAD_DATA: values
 * that are not finite, or of such magnitudes that scores overflow. PEN_NOT_CONVERGED (logistic).
 * Cost: that of the classifiers' headers, two passes over all rows. */
pen_status pen_classifier_fit(pen_run *run, const pen_embedded_rows *e,
                              const pen_classifier_params *params, pen_classifier *out);

/* The classifier `neighbors` of rows z [n x k], contiguous, with probabilities p [n x classes],
 * which are in [0, 1] and sum to 1 but for rounding to float: p of a row are the mean of those of
 * its `neighbors` nearest rows, or of all if these are fewer. Center and divisor are those of all
 * rows. Rows and votes are rounded to float, as a file keeps them. Memory of *out is scratch of the
 * run.
 * PEN_BAD_ARGUMENT: neighbors < 1; PEN_BAD_DATA: values of z that are not finite, or too large.
 * Cost: two passes. */
pen_status pen_classifier_fit_votes(pen_run *run, int64_t n, int64_t k, const double *z,
                                    int64_t classes, const double *p, int64_t neighbors,
                                    pen_classifier *out);

/* 1 if a fit needs all rows and not only the labelled ones: 0 for lda with a prior that is not
 * PEN_PRIOR_AUTO. */
int pen_classifier_needs_all(const pen_classifier_params *params);

/* Of rows z [n x k], `stride` elements apart: p [n x classes], not tempered, and classes [n];
 * either may be NULL. The bits of a row depend on the row alone, for any batch and number of
 * threads.
 * PEN_NOT_FINITE: a value of z; PEN_BAD_DATA: a score overflows.
 * Cost: n k flops, times 2 classes for affine classifiers and 3 count for others; memory: n classes
 * doubles for affine classifiers if p is NULL. */
pen_status pen_classifier_apply(pen_run *run, const pen_classifier *classifier, int64_t n,
                                const double *z, int64_t stride, double *p, int32_t *classes);

/* Below this, p count as this when they are tempered. */
#define PEN_SHARE_FLOOR 1e-4

/* Replaces p [classes] by q_c = max(p_c, PEN_SHARE_FLOOR)^(1 / temperature), divided by their sum.
 * temperature <= 0: none, and p stays as it is. */
void pen_temper(int64_t classes, double temperature, double *p);

#endif
