/* ridge.h - makes the denominator of a ratio of scatters regular. */
#ifndef PEN_RIDGE_H
#define PEN_RIDGE_H

#include "solve/span.h"

/* The value of the word auto: a ridge found from the scatter. */
enum { PEN_RIDGE_AUTO = -1 };

/* How to make a denominator C regular. */
typedef struct pen_ridge {
    /* adds amount tr(C)/columns to the diagonal, with C before the penalty of a kernel; or
     * PEN_RIDGE_AUTO: 0 if C is regular, as pen_eig_condition decides, otherwise as below, noted
     * as "regularized" */
    double amount;
    /* if C describes the residuals of rows about the means of these classes or chunklets, shrink it
     * by rho (scatter/shrinkage.h), at most 0.999: amount = rho / (1 - rho); noted as "shrinkage".
     * NULL: do not shrink */
    const pen_view *residuals;
    int exact; /* C is a multiple of the scatter of these residuals */
    /* auto: a C that is still singular gets the smallest amount that makes its condition number
     * 1e10 and is above the rounding errors of the rows. C = 0 becomes, with auto and with any
     * amount above 0, tr(A)/columns I, or I if that is also 0 */
} pen_ridge;

/* The problem that replaces A and B. */
typedef struct pen_regular {
    const pen_sym *A;
    pen_sym *B;
    int64_t columns; /* the columns to average over */
    /* the mean of the diagonal of B without the penalty, whose trace grows without limit as the
     * least eigenvalue of a kernel falls */
    double unit;
    const pen_ridge *ridge;
    const pen_request *request;
} pen_regular;

/* Adds the penalty of the request to the denominator B (NULL: not needed), and makes B regular by
 * the ridge (NULL: none), in place. out: ridge, penalized. Notes "regularized" and "shrinkage", and
 * "condition" if the condition number of B is above 1e10.
 * PEN_FROM_ROWS: B is singular, or its condition number is above 1e10, and so is that of the
 * scatter of the rows. PEN_SINGULAR_SCATTER: an exact reduction left columns out, and there is no
 * ridge.
 * Cost with PEN_RIDGE_AUTO or without a ridge: that of pen_eig_condition, and if B is singular
 * that of the shrinkage, and 3 d^3. */
pen_status pen_regular_open(pen_run *run, const pen_sym *A, pen_sym *B, const pen_ridge *ridge,
                            const pen_request *request, pen_regular *out, pen_projection *map);

/* Returns `status`; adds the cause and the remedy to the message of PEN_SINGULAR_SCATTER. */
pen_status pen_regular_explain(pen_run *run, pen_status status, const pen_regular *problem);

#endif
