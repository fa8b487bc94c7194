/* logistic_oracle.h - logistic regression of an embedding by full Newton steps. */
#ifndef LOGISTIC_ORACLE_H
#define LOGISTIC_ORACLE_H

#include "classifiers/classifier.h"

/* p [m x classes] of rows x [m x k] at the minimum of half the sum of squared weights plus the sum
 * of -ln p over labelled rows of e. Biases are free; every class has labels. */
void logistic_oracle(const pen_embedded_rows *e, int64_t m, const double *x, double *p);

#endif
