/* labels_fit.h - models of methods that learn from labels and a graph, compared with what they
 * should be. */
#ifndef LABELS_FIT_H
#define LABELS_FIT_H

#include "kit/pairs_fit.h"
#include "oracle/labels_family.h"

/* The ten rows that the printed fits are of. */
sample sample_labels(void);

/* A list of numbers in the info of a model; free() it. */
double *info_list(const pen_model *model, const char *name, int64_t *count);

/* The library's fit is the oracle's, or fails as it does. The oracle fits `data`, the library `of`
 * (NULL: the same). */
void check_like_label_oracle(const char *text, const pen_data *data, const pen_data *of,
                             double tolerance);

/* Every text on every shape of sample with at least `columns` columns. */
void check_all_label_shapes(uint64_t tag, const char *const *texts, int64_t count, int64_t columns,
                            double tolerance);

/* Entries of an array against printed ones. */
#define CHECK_ENTRIES(found, right, tolerance)                                                     \
    check_entries(#found, COUNT_OF(right), (found), (right), (tolerance), __FILE__, __LINE__)
void check_entries(const char *what, int64_t count, const double *found, const double *right,
                   double tolerance, const char *file, int line);

/* The order of rows, names of classes and the place of the origin make no difference; a rotation of
 * the rows rotates the columns unless `turned` is 0, or 2 and there are more columns than rows;
 * rows times 3 fitted by `scaled` (NULL: not asked) give columns times column_factor and values
 * times value_factor; floats, bytes and rows with gaps give what doubles give. */
typedef struct label_changes {
    const char *text, *scaled;
    double column_factor, value_factor;
    int turned;
    double tolerance;
} label_changes;
void check_label_invariances(const label_changes *changes, uint64_t tag);

/* The same bits for any number of threads. */
void check_label_threads(const char *text, uint64_t tag);

/* Whenever the progress function says stop, the fit does. */
void check_label_cancelled(const char *text, uint64_t tag);

/* pen_predict on rows says what the columns, the mean and the bias say, also after saving and
 * loading; a loaded model has no rows of its fit. */
void check_prediction(const char *text, const pen_data *data);

/* Labels, pairs, neighbors that no such method accepts; rows with nothing in them; what extreme
 * values may come to. `graph`: it builds one. */
void check_label_errors(const char *text, int graph);

#endif
