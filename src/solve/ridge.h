/* ridge.h - the denominator of a ratio of scatters, made regular. */
#ifndef PEN_RIDGE_H
#define PEN_RIDGE_H

#include "solve/span.h"

/* The ridge that is found from the scatter: the value of the word auto. */
enum { PEN_RIDGE_AUTO = -1 };

/* What makes a denominator C regular. */
typedef struct pen_ridge {
    /* amount tr(C)/columns, of C without the penalty of a kernel, is added to the diagonal; or
     * PEN_RIDGE_AUTO: 0 where C is regular, as pen_eig_condition decides, else what follows, which
     * is noted as "regularized" */
    double amount;
    /* C describes the residuals of rows about the means of these classes or chunklets: it is shrunk
     * by rho (scatter/shrinkage.h), at most 0.999: amount = rho / (1 - rho); noted as "shrinkage".
     * NULL: not shrunk. */
    const pen_view *residuals;
    int exact; /* C is a multiple of the scatter of these residuals */
    /* auto: a C that is still singular gets the smallest amount that makes its condition number
     * 1e10 and is above the rounding errors of the rows. C = 0, whatever the amount above 0:
     * tr(A)/columns I, or I where that is 0, too */
} pen_ridge;

/* The problem that is solved instead of A and B. */
typedef struct pen_regular {
    const pen_sym *A;
    pen_sym *B;
    int64_t columns; /* over which means are taken */
    /* the mean of the diagonal of B without the penalty, whose trace grows without limit as the
     * least eigenvalue of a kernel falls */
    double unit;
    const pen_ridge *ridge;
    const pen_request *request;
} pen_regular;

/* Adds the penalty of the request to the denominator B (NULL: none is needed), and makes it regular
 * by the ridge (NULL: none), in place. out: ridge, penalized. Notes "regularized" and "shrinkage",
 * and "condition" where the condition number of B is above 1e10.
 * PEN_FROM_ROWS: B is singular, or its condition number is above 1e10, and so is that of the
 * scatter of the rows. PEN_SINGULAR_SCATTER: an exact reduction left columns out, and there is no
 * ridge.
 * Cost with PEN_RIDGE_AUTO or without a ridge: that of pen_eig_condition, and where B is singular
 * that of the shrinkage, and 3 d^3. */
pen_status pen_regular_open(pen_run *run, const pen_sym *A, pen_sym *B, const pen_ridge *ridge,
                            const pen_request *request, pen_regular *out, pen_projection *map);

/* Returns `status`; adds the reason and the remedy to the message of PEN_SINGULAR_SCATTER. */
pen_status pen_regular_explain(pen_run *run, pen_status status, const pen_regular *problem);

#endif
