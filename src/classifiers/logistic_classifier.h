/* logistic_classifier.h - multinomial logistic regression with a ridge. */
#ifndef PEN_LOGISTIC_CLASSIFIER_H
#define PEN_LOGISTIC_CLASSIFIER_H

#include "classifiers/classifier_rows.h"

#define PEN_LOGISTIC_TOLERANCE 1e-9

/* Minimizes |W|^2 / 2 + sum over the labelled rows of -ln p of their class, in the units of
 * classifiers; biases are free. With three classes or more p = softmax(z W + b), and the biases sum
 * to 0; with two, one column: p_1 = 1 / (1 + exp(-z w - b)). Classes without labels take no part.
 * At the end the largest entry of the gradient is at most `tolerance`, PEN_LOGISTIC_TOLERANCE for a
 * classifier. Sets weights and bias for rows as given.
 *
 * Uses Newton's method with conjugate gradients and halved steps. Because of the ridge the solution
 * exists and is unique for any rows, also if a plane separates the classes.
 * PEN_NOT_CONVERGED: the gradient stays larger. PEN_BAD_DATA: as
 * pen_affine_classifier_fold. Cost: 4 l k classes flops per iteration of conjugate gradients,
 * usually 20 to 1000 of them; with l < k rows, up to 256 per column of W, 6 l^2 k flops and
 * then 4 l^2 classes per iteration. Memory: l (k + 5 classes) doubles, and l k more for few
 * rows. */
pen_status pen_logistic_classifier_fit(pen_run *run, const pen_classifier_rows *rows,
                                       double tolerance, pen_classifier *out);

#endif
