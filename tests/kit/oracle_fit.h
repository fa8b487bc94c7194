/* oracle_fit.h - compares models of every method with the oracles.
 *
 * A fit is written "METHOD NAME=VALUE ...", as for the oracle. Any mismatch fails the running
 * test. */
#ifndef ORACLE_FIT_H
#define ORACLE_FIT_H

#include "kit/pairs_fit.h"
#include "oracle/blend_family.h"
#include "oracle/graph_family.h"
#include "oracle/labels_family.h"
#include "oracle/ratio_family.h"
#include "oracle/reconstruct_family.h"
#include "oracle/sale_family.h"

/* ---- against the oracle ---- */

/* The library's fit matches the oracle's, has the same numbers in its info, and solves the oracle's
 * problem; or it fails with the same status; or, if rounding decides, it is a model with finite
 * columns or either of two errors. The oracle fits `data`, the library `of` (NULL: the same). */
void check_like(const char *text, const pen_data *data, const pen_data *of, double tolerance);
void check_like_oracle(const char *text, const sample *s, double tolerance);

/* Fits every text of text_list_of(list), of methods with one kind of supervision, on all shapes of
 * rows with at least `columns`. */
void check_shapes(uint64_t tag, int repeats, int64_t columns, double tolerance, const char *list);
void check_all_shapes(uint64_t tag, int repeats, const char *list);

/* All printed fits of a pair method, by library and oracle. */
void check_pair_golden(const char *method);

/* Columns [d x k] and values of a fit, printed to ten digits. */
void check_printed_fit(const char *text, const pen_data *data, int64_t k, const double *values,
                       const double *columns, double tolerance);

/* Ridge regression on classes 0, 1 .. of the labelled rows, with an unpenalized intercept. */
void check_ridge_regression(const pen_model *model, const sample *s, double ridge,
                            double tolerance);

/* ---- properties of a fit ---- */

/* pen_predict agrees with the columns, mean and bias, or with the classifier, also after saving and
 * loading; a loaded model has no scores of the fitted rows. */
void check_prediction(const char *text, const pen_data *data);

/* The fit of s equals that of `of`, with columns and eigenvalues times the factors. */
void check_same_fit(const char *text, const sample *s, const char *other, const sample *of,
                    double columns, double values, double tolerance);

/* A list of numbers in the info of a model. */
double *info_list(const pen_model *model, const char *name, int64_t *count);

/* The ten rows of the printed fits of methods that use labels and a graph. */
sample sample_labels(void);

/* Compares entries of an array with printed ones. */
#define CHECK_ENTRIES(found, right, tolerance)                                                     \
    check_entries(#found, COUNT_OF(right), (found), (right), (tolerance), __FILE__, __LINE__)
void check_entries(const char *what, int64_t count, const double *found, const double *right,
                   double tolerance, const char *file, int line);

#endif
