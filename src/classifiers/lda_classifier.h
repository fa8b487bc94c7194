/* lda_classifier.h - classifiers by class means and the scatter about them: shrinkage LDA, and
 * distances to the means. */
#ifndef PEN_LDA_CLASSIFIER_H
#define PEN_LDA_CLASSIFIER_H

#include "classifiers/classifier_rows.h"

/* Rows with classes. */
typedef struct pen_classed_rows {
    const pen_classifier_rows *rows;
    int64_t count;
    const int64_t *members; /* [count] ascending */
    const int32_t *of;      /* [count] their classes */
} pen_classed_rows;

/* Linear discriminant analysis, in the units of classifiers: m_c the class means of l rows in k
 * dimensions, E [l x k] the rows minus the means of their classes, S = E'E / l, mu = tr S / k,
 *
 *   Sigma = (1 - rho) S + (rho + 1e-9) mu I,   rho of Ledoit and Wolf (scatter/shrinkage.h)
 *   score_c = m_c' Sigma^-1 z - m_c' Sigma^-1 m_c / 2 + ln prior_c,   p = softmax(score)
 *
 * Entries of E within the rounding of the embedding count as 0. If E = 0, as with one row per
 * class, Sigma = I and rho = 1. log_prior [classes]: ln prior_c, up to a constant. Sets weights and
 * bias for rows as given, and *rho.
 * PEN_BAD_DATA: as pen_affine_classifier_fold, or Sigma is not positive definite.
 * Cost: l k^2 + k^3 / 3 flops; if l < k, where Sigma^-1 is found in the span of E, l^2 k + l^3 / 3.
 * Ledoit, Wolf 2004. */
pen_status pen_lda_classifier_fit(pen_run *run, const pen_classed_rows *set,
                                  const double *log_prior, pen_classifier *out, double *rho);

/* Sets the parts of a classifier by distances to class means: center, divisor, rows, of, and the
 * width 2 s^2 sqrt(k), s^2 = 1e-9 + the mean of the squared entries of E. */
pen_status pen_means_classifier_fit(pen_run *run, const pen_classifier_rows *rows,
                                    pen_classifier *out);

#endif
