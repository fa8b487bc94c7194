/* labels_fit.h - compares models of methods that learn from labels and a graph with their expected
 * values. */
#ifndef LABELS_FIT_H
#define LABELS_FIT_H

#include "kit/pairs_fit.h"
#include "oracle/labels_family.h"

/* The ten rows of the printed fits. */
sample sample_labels(void);

/* A list of numbers in the info of a model; free() it. */
double *info_list(const pen_model *model, const char *name, int64_t *count);

/* The library's fit matches the oracle's, or fails with the same status. The oracle fits `data`,
 * the library `of` (NULL: the same). */
void check_like_label_oracle(const char *text, const pen_data *data, const pen_data *of,
                             double tolerance);

/* Every text on every shape of sample with at least `columns` columns. */
void check_all_label_shapes(uint64_t tag, const char *const *texts, int64_t count, int64_t columns,
                            double tolerance);

/* Compares entries of an array with printed ones. */
#define CHECK_ENTRIES(found, right, tolerance)                                                     \
    check_entries(#found, COUNT_OF(right), (found), (right), (tolerance), __FILE__, __LINE__)
void check_entries(const char *what, int64_t count, const double *found, const double *right,
                   double tolerance, const char *file, int line);

/* The order of rows, class names and the position of the origin make no difference; a rotation of
 * the rows rotates the columns unless `turned` is 0, or 2 and there are more columns than rows;
 * rows times 3 fitted by `scaled` (NULL: not tested) give columns times column_factor and values
 * times value_factor; floats, bytes and rows with gaps give the same result as doubles. */
typedef struct label_changes {
    const char *text, *scaled;
    double column_factor, value_factor;
    int turned;
    double tolerance;
} label_changes;
void check_label_invariances(const label_changes *changes, uint64_t tag);

/* The same bits for any number of threads. */
void check_label_threads(const char *text, uint64_t tag);

/* Whenever the progress function requests a stop, the fit stops. */
void check_label_cancelled(const char *text, uint64_t tag);

/* pen_predict on rows agrees with the columns, the mean and the bias, also after saving and
 * loading; a loaded model has no scores of the training rows. */
void check_prediction(const char *text, const pen_data *data);

/* Labels, pairs, neighbors that every such method rejects; rows with no variation; possible results
 * for extreme values. `graph`: the method builds one. */
void check_label_errors(const char *text, int graph);

#endif
