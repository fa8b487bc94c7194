/* classifier_oracle.h - literal classifiers that form every matrix. */
#ifndef CLASSIFIER_ORACLE_H
#define CLASSIFIER_ORACLE_H

#include "classifiers/classifier.h"

enum { ORACLE_ROUNDS = 5 };

typedef struct classifier_oracle {
    double rho;                    /* lda, self-training */
    int refits;                    /* self-training */
    int64_t pseudo[ORACLE_ROUNDS]; /* rows after each */
} classifier_oracle;

/* p [m x classes] of rows x [m x k] by a classifier of the rows e, except logistic. */
classifier_oracle classifier_oracle_read(const pen_embedded_rows *e,
                                         const pen_classifier_params *params, int64_t m,
                                         const double *x, double *p);

/* Ledoit-Wolf shrinkage of unscaled rows about their class means, with its floor; *trace: the sum
 * of squared residuals. */
double classifier_oracle_shrinkage(const pen_embedded_rows *e, double *trace);

/* The largest gradient entry of logistic regression at the weights and p of a classifier. */
double classifier_oracle_gradient(const pen_embedded_rows *e, const pen_classifier *classifier);

#endif
