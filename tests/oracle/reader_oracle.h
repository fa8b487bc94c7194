/* reader_oracle.h - readers of classes, literally: every matrix is formed, and none is avoided. */
#ifndef READER_ORACLE_H
#define READER_ORACLE_H

#include "readers/reader.h"

enum { ORACLE_ROUNDS = 5 };

typedef struct reader_oracle {
    double rho;                    /* lda, self-training */
    int refits;                    /* self-training */
    int64_t pseudo[ORACLE_ROUNDS]; /* rows after each */
} reader_oracle;

/* p [m x classes] of rows x [m x k] by the reader of the rows e. Not logistic. */
reader_oracle reader_oracle_read(const pen_embedded_rows *e, const pen_reader_params *params,
                                 int64_t m, const double *x, double *p);

/* The gradient of logistic regression at the weights and p of a reader: its largest entry. */
double reader_oracle_gradient(const pen_embedded_rows *e, const pen_reader *reader);

#endif
