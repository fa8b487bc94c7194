/* read_rows.h - fits classifiers and applies them. */
#ifndef READ_ROWS_H
#define READ_ROWS_H

#include "check.h"
#include "classifiers/classifier.h"

/* What a fit notes, and its error. */
typedef struct read_result {
    double rho, rounds, pseudo; /* NaN: not noted */
    pen_status status;
    pen_error err;
} read_result;

/* p [m x classes] and classes [m] (either may be NULL) of rows x [m x k], by a classifier fitted to
 * the rows e. */
read_result read_rows(const pen_embedded_rows *e, const pen_classifier_params *params, int threads,
                      int64_t m, const double *x, double *p, int32_t *classes);

/* The same, which must succeed. */
read_result read_well(const pen_embedded_rows *e, const pen_classifier_params *params, int threads,
                      int64_t m, const double *x, double *p, int32_t *classes);

#endif
