/* check_fit.h - rows to fit, fits from one line of text, and comparisons of models with their
 * expected values.
 *
 * A fit is written "METHOD NAME=VALUE ...", the same text that the oracle reads. Any mismatch fails
 * the running test. */
#ifndef CHECK_FIT_H
#define CHECK_FIT_H

#include "check.h"
#include "kit/options.h"
#include "oracle/ratio_family.h"

#define COUNT_OF(array) ((int64_t)(sizeof(array) / sizeof *(array)))

/* ---- rows ---- */

typedef struct sample {
    int64_t n, d;
    double *x;  /* [n x d] */
    int32_t *y; /* [n] */
} sample;

sample sample_new(int64_t n, int64_t d); /* zeros */
sample sample_of(int64_t n, int64_t d, const double *x, const int32_t *y);
void sample_free(sample *s);

/* Classes of normal rows about separate centers; columns of different spread; the first `labelled`
 * rows of a random order have labels, of classes 0, 1, 2 .. in turn, so that every class has one.
 * Every value is a multiple of 2^-12, so that shifting the rows by a whole number, or storing them
 * as floats, is exact. */
sample sample_random(pen_rng *rng, int64_t n, int64_t d, int64_t classes, int64_t labelled);

/* Samples of many shapes, selected by `which`, 0 <= which < SHAPES. */
enum { SHAPES = 12 };
sample sample_shape(pen_rng *rng, int which);

/* The small data sets 'A', 'B', 'C' whose fits are known to ten digits. */
sample sample_golden(char which);

/* x m for every row, m [d x d]. */
sample sample_times(const sample *s, const double *m);

/* Values 0 .. 255, for types with this range. */
void sample_to_bytes(sample *s);

pen_data sample_data(const sample *s);

/* The rows as another type, each followed by `gap` elements of garbage; free with recast_free. */
pen_array recast(const sample *s, pen_dtype dtype, int64_t gap);
void recast_free(pen_array *array);

/* ---- fits ---- */

/* What a spec of auto chooses. */
struct pen_selection;
struct pen_selection *select_data(const char *text, const pen_data *data, int threads);

/* The status of pen_fit; *model is NULL unless it is PEN_OK. */
pen_status fit_status(const char *text, const pen_data *data, pen_model **model, pen_error *err);

/* Fits that must succeed. */
pen_model *fit_data(const char *text, const pen_data *data);
pen_model *fit_sample(const char *text, const sample *s);

/* A fit that must return `code`, with `phrase` (NULL: any text) in its message. */
#define CHECK_FIT_FAILS(text, data, code, phrase)                                                  \
    check_fit_fails((text), (data), (code), (phrase), __FILE__, __LINE__)
void check_fit_fails(const char *text, const pen_data *data, pen_status code, const char *phrase,
                     const char *file, int line);

/* ---- models ---- */

/* The expected content of a model: all k eigenvalues above 0 and the corresponding columns; the
 * model may have fewer. */
typedef struct expected {
    int64_t d, k, stride;
    const double *mean;   /* [d] or NULL: not compared */
    const double *lambda; /* [k] */
    const double *w;      /* [d x k], rows `stride` apart */
} expected;

expected expected_of(const pen_model *model);
int all_finite(int64_t count, const double *a);

/* The model is the expected one: eigenvalues to `tolerance` of each (and a thousandth of that of
 * the largest), the spans of the first columns and the columns themselves where the gaps define
 * them, the mean, and the sign rule. */
void check_model(const pen_model *model, const expected *e, double tolerance, const char *text);

/* The sign rule of a linear model. */
void check_signs(const pen_model *model, const char *text);

/* Columns of the centered rows depend on each other for another reason than few rows: a ratio of
 * scatters is then solved without the dependent ones, which oracles do not do (test_noise.c). */
int columns_depend(const pen_array *x);

/* The library's fit matches the oracle's and solves the oracle's problem, or fails with the same
 * status. */
void check_like_oracle(const char *text, const sample *s, double tolerance);

/* Every text compared with the oracle on every shape. */
void check_all_shapes(uint64_t tag, const char *const *texts, int64_t count, int repeats);

/* A fit with printed results: `text` with k values and [d x k] columns of ten digits, up to
 * sign. */
void check_golden(const char *text, const sample *s, int64_t k, const double *lambda,
                  const double *w);

/* ---- properties of every method ---- */

/* With the sample's values as whole numbers 0 .. 255, floats, bytes and rows with gaps give the
 * same model as doubles. */
void check_types(const char *text, const sample *s, double tolerance);

/* The first columns of a larger fit are those of a smaller one. */
void check_nested(const char *text, const sample *s);

/* More dimensions than the method gives: the message reports the available number, and allow_fewer
 * accepts it. */
void check_rank(const char *text, const sample *s, int64_t gives);

/* The model of s is that of `of` with its columns multiplied by `factor` and its eigenvalues by
 * `lambda_factor`, and, if q [d x d] is given, rotated: W = q' W. */
void check_related(const char *text, const sample *s, const sample *of, const double *q,
                   double factor, double lambda_factor, double tolerance);

/* The order of the rows, the names of the classes and the position of the origin make no
 * difference, and a rotation of the rows rotates the columns. */
void check_invariances(const char *text, uint64_t tag);

/* Rows times `factor` give columns times `column_factor` and eigenvalues times `lambda_factor`. */
void check_scaled(const char *text, uint64_t tag, double factor, double column_factor,
                  double lambda_factor);

/* Arrays, values and parameters that every method rejects. */
void check_refusals(const char *method, const sample *s);

/* All rows equal, or one row: nothing can be learned. */
void check_nothing_there(const char *text);

/* All labelled rows are equal, so that the label scatters contain only rounding errors: one of two
 * errors. */
void check_labelled_rows_equal(const char *text, const sample *s);

/* Rows so large or so small that their squares overflow or underflow: an error, or a model without
 * NaN or infinity, never anything else. */
void check_extreme_values(const char *text);

/* Two models of the same rows: the same eigenvalues, span and mean, up to rounding. */
void check_merged_model(const pen_model *found, const pen_model *all, const char *text);

#endif
