/* classifier_oracle.h - classifiers, literally: every matrix is formed, and none is avoided. */
#ifndef CLASSIFIER_ORACLE_H
#define CLASSIFIER_ORACLE_H

#include "classifiers/classifier.h"

enum { ORACLE_ROUNDS = 5 };

typedef struct classifier_oracle {
    double rho;                    /* lda, self-training */
    int refits;                    /* self-training */
    int64_t pseudo[ORACLE_ROUNDS]; /* rows after each */
} classifier_oracle;

/* p [m x classes] of rows x [m x k] by the classifier of the rows e. Not logistic. */
classifier_oracle classifier_oracle_read(const pen_embedded_rows *e,
                                         const pen_classifier_params *params, int64_t m,
                                         const double *x, double *p);

/* The shrinkage of Ledoit and Wolf of rows as they are, about their class means, and its floor;
 * *trace: the sum of the squares of the residuals. */
double classifier_oracle_shrinkage(const pen_embedded_rows *e, double *trace);

/* The gradient of logistic regression at the weights and p of a classifier: its largest entry. */
double classifier_oracle_gradient(const pen_embedded_rows *e, const pen_classifier *classifier);

#endif
