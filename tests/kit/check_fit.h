/* check_fit.h - samples, fits from one line of text, and comparisons of models with expected
 * values.
 *
 * A fit is written "METHOD NAME=VALUE ...", as for the oracle. Any mismatch fails the running
 * test. */
#ifndef CHECK_FIT_H
#define CHECK_FIT_H

#include "check.h"
#include "kit/coordinates.h"
#include "kit/dense.h"
#include "kit/text_list.h"

/* ---- rows ---- */

typedef struct sample {
    int64_t n, d;
    double *x;  /* [n x d] */
    int32_t *y; /* [n] */
} sample;

/* Zeros. Samples and fits last until the program ends (kit/keep.h). */
sample sample_new(int64_t n, int64_t d);
sample sample_of(int64_t n, int64_t d, const double *x, const int32_t *y);

/* Classes of normal rows around separate centers, in columns of different spread. The first
 * `labelled` rows of a random order have labels, of classes 0, 1, 2 .. in turn, so that every class
 * has one. All values are multiples of 2^-12: integer shifts and floats are exact. */
sample sample_random(pen_rng *rng, int64_t n, int64_t d, int64_t classes, int64_t labelled);

/* Samples of many shapes, selected by `which`, 0 <= which < SHAPES. */
enum { SHAPES = 12 };
sample sample_shape(pen_rng *rng, int which);

/* The small data sets 'A', 'B', 'C', with printed fits of ten digits. */
sample sample_golden(char which);

/* Multiplies every row by m [d x d]. */
sample sample_times(const sample *s, const double *m);

/* Values 0 .. 255, for u8. */
void sample_to_bytes(sample *s);

pen_data sample_data(const sample *s);

/* The rows as another type, with `gap` garbage elements after each. */
pen_array recast(const sample *s, pen_dtype dtype, int64_t gap);

/* ---- fits ---- */

/* The method that auto chooses for a spec. */
struct pen_selection;
struct pen_selection *select_data(const char *text, const pen_data *data, int threads);

/* The status of pen_fit. *model lasts until the program ends; it is NULL unless the status is
 * PEN_OK. */
pen_status fit_status(const char *text, const pen_data *data, pen_model **model, pen_error *err);

/* Keeps an object until the program ends; NULL is passed on. */
pen_model *keep_model(pen_model *model);
pen_stats *keep_stats(pen_stats *stats);

/* Fits that must succeed. */
pen_model *fit_data(const char *text, const pen_data *data);
pen_model *fit_sample(const char *text, const sample *s);

/* A fit that must return `code`, with `phrase` (NULL: any text) in its message. */
#define CHECK_FIT_FAILS(text, data, code, phrase)                                                  \
    check_fit_fails((text), (data), (code), (phrase), __FILE__, __LINE__)
void check_fit_fails(const char *text, const pen_data *data, pen_status code, const char *phrase,
                     const char *file, int line);

/* ---- models ---- */

/* The parts of a model; NULL if absent. */
#define MODEL_PART(function, tensor)                                                               \
    static inline const double *function(const pen_model *model)                                   \
    {                                                                                              \
        return model_values(model, tensor);                                                        \
    }
MODEL_PART(model_columns, "projection")
MODEL_PART(model_eigenvalues, "eigenvalues")
MODEL_PART(model_mean, "mean")
MODEL_PART(model_bias, "bias")
MODEL_PART(model_shares, "probabilities")

/* Expected content of a model: all k eigenvalues above 0 and their columns. The model may have
 * fewer. */
typedef struct expected {
    int64_t d, k, stride;
    const double *mean;   /* [d] or NULL: not compared */
    const double *lambda; /* [k] or NULL: every column is defined */
    const double *w;      /* [d x k], rows `stride` apart */
    const double *ties;   /* [k] order of columns of value 0, or NULL */
    double after;         /* the eigenvalue after the last */
    double least, clear;  /* scale of values and of gaps; 0: 1e-3 of the largest */
} expected;

expected expected_of(const pen_model *model);
int all_finite(int64_t count, const double *a);

/* The model matches: eigenvalues to `tolerance` of each (and of a thousandth of the largest); where
 * gaps define it, the span of the first columns, and W W' of a column or of a group with nearly
 * equal values; the mean and the sign rule. */
void check_model(const pen_model *model, const expected *e, double tolerance, const char *text);

/* Numbers to `tolerance` of the largest. */
void check_array(const char *text, const char *what, int64_t count, const double *found,
                 const double *right, double tolerance);

/* One value per iteration: those of right [count] times `factor`. rests: the sequence has converged
 * up to rounding, and may end earlier or later. */
int is_at_rest(int64_t count, const double *course);
void check_course(const pen_model *model, const char *key, int64_t count, const double *right,
                  int rests, double factor, double tolerance, const char *text);

/* A change of the rows of a fit, and its effect on columns and eigenvalues. */
typedef struct relation {
    double columns, values; /* factors */
    int moved;              /* the mean changes */
    const double *q;        /* [d x d] a rotation of the rows, W = q' W; NULL: none */
    const int64_t *row;     /* [n] row i is row row[i] of the base; NULL: i */
    const int64_t *class;   /* [classes] class k of the base is class[k]; NULL: k */
} relation;

/* `model` is the fit of the changed rows of `base`: columns, eigenvalues, scores, objectives. */
void check_related(const pen_model *model, const pen_model *base, const relation *r,
                   double tolerance, const char *text);

/* Everything two models store about their rows, bit for bit. */
void check_same_bits(const pen_model *a, const pen_model *b, const char *text);

/* The sign rule of a linear model. */
void check_signs(const pen_model *model, const char *text);

/* Columns [d x k], rows `stride` and `right_stride` apart, match up to sign, to `tolerance` of the
 * largest entry of each. */
void check_up_to_sign(const char *text, int64_t d, int64_t k, const double *found, int64_t stride,
                      const double *right, int64_t right_stride, double tolerance);

/* A fit with printed results: `text` holds k values and [d x k] columns of ten digits, up to
 * sign. */
void check_golden(const char *text, const sample *s, int64_t k, const double *lambda,
                  const double *w);

/* If too many dimensions are requested, the message reports the available number, and allow_fewer
 * accepts it. */
void check_rank(const char *text, const sample *s, int64_t gives);

/* Two models of the same rows: the same eigenvalues, span and mean, up to rounding. */
void check_merged_model(const pen_model *found, const pen_model *all, const char *text);

#endif
