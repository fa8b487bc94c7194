/* classifier.h - classifiers of an embedding: which class is this row? */
#ifndef PEN_CLASSIFIER_H
#define PEN_CLASSIFIER_H

#include "classifiers/classifier_rows.h"
#include "core/params.h"

/* "auto", "nearest", "neighbors", "means", "lda", "self-training", "logistic", "scores", "none" */
extern const char *const pen_classifier_names[];

#define PEN_TEMPERATURE_AUTO (-1)

/* How the classes of rows are predicted from their embedding. */
typedef struct pen_classifier_params {
    enum pen_classifier_kind kind;
    int64_t neighbors;  /* number of voting neighbors */
    int prior;          /* enum pen_prior, which also applies to class scores */
    double temperature; /* 0: none; PEN_TEMPERATURE_AUTO: by trials */
} pen_classifier_params;

/* A classifier as a text (core/params.h) such as "neighbors:3", bound to pen_classifier_params. */
extern const pen_text_form pen_classifier_form;

/* Fits a classifier, one of the kinds PEN_CLASSIFIER_NEAREST .. PEN_CLASSIFIER_LOGISTIC. The memory
 * of *out is scratch of the run. Notes "classifier_shrinkage", the rho of lda and self-training
 * (lda_classifier.h), and "classifier_rounds" and "classifier_pseudo" of self-training
 * (classifier.c).
 *
 * lda needs only the labelled rows: `e` may contain just these. Its p depend on the divisor, and so
 * on the unlabelled rows, only if all residuals of the labelled rows about their class means are 0,
 * as with one label per class.
 * PEN_NO_LABELS: no row is labelled. PEN_BAD_ARGUMENT: a parameter or a label. PEN_BAD_DATA: values
 * that are not finite, or of such magnitudes that scores overflow. PEN_NOT_CONVERGED (logistic).
 * Cost: see the headers of the classifiers; two passes over all rows. */
pen_status pen_classifier_fit(pen_run *run, const pen_embedded_rows *e,
                              const pen_classifier_params *params, pen_classifier *out);

/* Fits the classifier `neighbors` to rows z [n x k], contiguous, with probabilities p [n x classes]
 * in [0, 1] that sum to 1 up to rounding to float. The p of a row are the mean over its `neighbors`
 * nearest rows, or over all if these are fewer. Center and divisor come from all rows. Rows and
 * votes are rounded to float, as a file stores them. The memory of *out is scratch of the run.
 * PEN_BAD_ARGUMENT: neighbors < 1; PEN_BAD_DATA: values of z that are not finite, or too large.
 * Cost: two passes. */
pen_status pen_classifier_fit_votes(pen_run *run, int64_t n, int64_t k, const double *z,
                                    int64_t classes, const double *p, int64_t neighbors,
                                    pen_classifier *out);

/* 1 if a fit needs all rows, not only the labelled ones; 0 for lda unless its prior is
 * PEN_PRIOR_AUTO. */
int pen_classifier_needs_all(const pen_classifier_params *params);

/* For rows z [n x k], `stride` elements apart: p [n x classes], not tempered, and classes [n];
 * either may be NULL. The bits of a row depend only on the row, for any batch and number of
 * threads.
 * PEN_NOT_FINITE: a value of z; PEN_BAD_DATA: a score overflows.
 * Cost: n k flops, times 2 classes for affine classifiers and 3 count for others; memory: n classes
 * doubles for affine classifiers if p is NULL. */
pen_status pen_classifier_apply(pen_run *run, const pen_classifier *classifier, int64_t n,
                                const double *z, int64_t stride, double *p, int32_t *classes);

/* Smaller p count as this when they are tempered. */
#define PEN_SHARE_FLOOR 1e-4

/* Replaces p [classes] by q_c = max(p_c, PEN_SHARE_FLOOR)^(1 / temperature), divided by their sum.
 * temperature <= 0 leaves p unchanged. */
void pen_temper(int64_t classes, double temperature, double *p);

#endif
