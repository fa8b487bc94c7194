/* class_prior.h - estimates class frequencies where labels do not show them.
 *
 * Labels are often not a random sample: one class may have ten times as many labels as another but
 * no more rows. Classifiers with equal priors assign the unlabelled rows to classes, and the counts
 * reveal the difference up to noise. With l_c labels of class c,
 * lc(x)_c = ln x_c - the mean of ln x over the classes, and v the mean of lc(counts + 1/2),
 *
 *   t = noise (classes - 1) mean(1 / l_c) + 0.09 |lc(l)|^2,   b = max(0, 1 - t / |v|^2)
 *
 * is the credible part of v: t is about the |v|^2 of equal frequencies, and classes with many
 * labels bend v by up to 0.3 lc(l). The constants were measured on 30 sets. */
#ifndef PEN_CLASS_PRIOR_H
#define PEN_CLASS_PRIOR_H

#include "classifiers/classifier_rows.h"

/* The expected class frequencies: from counts of the unlabelled rows; those of the labels; equal;
 * or none, which leaves scores unchanged. */
enum pen_prior { PEN_PRIOR_AUTO, PEN_PRIOR_LABELS, PEN_PRIOR_UNIFORM, PEN_PRIOR_NONE };
extern const char *const pen_prior_names[];

/* Sets v [classes] from `lists` lists of counts [classes] and returns b. sizes [classes]: l_c; v is
 * 0 for classes without labels. noise: 0.4 for two lists, 1 for one. */
double pen_prior_weight(int64_t classes, const int64_t *sizes, double noise, int lists,
                        const int64_t *const *counts, double *v);

/* counts [x->classes]: the number of unlabelled rows in each class, by logistic regression with
 * equal priors on the rows as a method sees them. Needs at least two classes. Errors of
 * pen_logistic_classifier_fit. Cost: logistic regression on at most 300 labelled rows, or 20 of
 * each class; two passes over the rows. */
pen_status pen_prior_count(pen_run *run, const pen_view *x, int64_t *counts);

/* log_prior [classes] of a classifier, up to a constant: b v_c; ln(l_c / l) for PEN_PRIOR_LABELS,
 * or if no unlabelled rows are present; 0 for PEN_PRIOR_UNIFORM and for classes without labels. */
pen_status pen_prior_find(pen_run *run, const pen_classifier_rows *rows, enum pen_prior prior,
                          double *log_prior);

#endif
