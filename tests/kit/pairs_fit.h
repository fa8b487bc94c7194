/* pairs_fit.h - rows with pairs to fit, and comparisons of models of the pair methods with their
 * expected values: the counterpart of kit/check_fit.h for these methods. */
#ifndef PAIRS_FIT_H
#define PAIRS_FIT_H

#include "kit/check_fit.h"
#include "oracle/pairs_family.h"

/* ---- rows and pairs ---- */

typedef struct linked {
    sample s;
    int labels; /* s.y is part of the supervision */
    int64_t must_count, cannot_count;
    /* [must_count x 2], [cannot_count x 2], consistent with the classes of the rows */
    int64_t *must, *cannot;
    double *must_weights, *cannot_weights; /* [must_count], [cannot_count], or NULL */
} linked;

/* Rows of classes 0 .. classes - 1, all of them in s.y, and the given number of random pairs of
 * each kind; pairs may be repeated. No labels. */
linked linked_random(pen_rng *rng, int64_t n, int64_t d, int64_t classes, int64_t must_count,
                     int64_t cannot_count);

/* The same with random lists of different lengths. */
void linked_draw(pen_rng *rng, linked *l, int64_t must_count, int64_t cannot_count);

/* Keeps the given number of random labels, and makes them part of the supervision. */
void linked_label(pen_rng *rng, linked *l, int64_t labelled);

/* Random weights, some of them 0, some above 1, the same for the same pair; 1 for pairs of labelled
 * rows. Other pairs must not be added after that. */
void linked_weigh(pen_rng *rng, linked *l);

/* The same rows with every pair of the supervision in the lists, once, and no labels. */
linked linked_expand(const linked *of);

linked linked_copy(const linked *of);
linked linked_golden(const char *name);
void linked_free(linked *l);
void linked_add(linked *l, int kind, int64_t i, int64_t j); /* kind as a pen_link */
pen_data linked_data(const linked *l);

/* Rows with pairs of many shapes, selected by `which`, 0 <= which < LINKED_SHAPES. */
enum { LINKED_SHAPES = 22 };
linked linked_shape(pen_rng *rng, int which);

/* ---- models ---- */

/* A number in the info of a model; NaN if it is absent. */
double info_number(const pen_model *model, const char *name);

/* Same projection, eigenvalues and mean, bit for bit. */
void check_same_bits(const pen_model *a, const pen_model *b, const char *text);

/* The first r columns w [d x r] and their values match the oracle's: values to `tolerance` of the
 * largest; columns, where the gaps define them, and W W' over columns of nearly equal values.
 * right [d x f->count]: columns other than the oracle's, or NULL. */
void check_pair_columns(const pair_oracle *f, const double *right, int64_t r, const double *values,
                        const double *w, double tolerance, const char *text);

/* The library's fit matches the oracle's, or fails with the same status. The oracle fits `data`,
 * the library `of` (NULL: the same). */
void check_like_pair_oracle(const char *text, const pen_data *data, const pen_data *of,
                            double tolerance);

/* Every text on every shape. */
void check_all_linked_shapes(uint64_t tag, const char *const *texts, int64_t count, int repeats);

/* All printed fits of a method. */
void check_pair_golden(const char *method);

/* ---- properties of every pair method ---- */

/* Floats, bytes, and rows with gaps give the same result as doubles. */
void check_pair_types(const char *text, uint64_t tag);

/* The first columns of a larger fit are those of a smaller one, down to `least`. */
void check_pair_nested(const char *text, uint64_t tag, int64_t least);

/* The order of the pairs, of their ends, duplicate pairs, the order of the rows, the names of the
 * classes and the position of the origin make no difference; a rotation of the rows rotates the
 * columns; labels are equivalent to the list of all their pairs. */
void check_pair_invariances(const char *text, uint64_t tag);

/* Rows times `factor` give columns times `column_factor` and values times `value_factor`. */
void check_pair_scaled(const char *text, uint64_t tag, double factor, double column_factor,
                       double value_factor);

/* Neither the route by which a scatter is summed nor the number of threads makes a difference. svd:
 * a small number of pairs is handled by difference rows alone. */
void check_pair_routes(const char *text, uint64_t tag, int svd);

/* A random sample of the pairs of labels gives the same result as the list of them. */
void check_pair_sample(const char *text, uint64_t tag);

/* Lists that are not valid pairs, or contradict each other or the labels; transitive closure. */
void check_pair_errors(const char *text, uint64_t tag);

/* Rows so large or so small that their squares overflow or underflow: an error, or a model without
 * NaN or infinity. */
void check_pair_extremes(const char *text, uint64_t tag);

/* Constant features have rows of zeros, except for rounding; duplicate features share their
 * weight. */
void check_idle_features(const char *text, uint64_t tag);

/* ---- helpers ---- */

/* Rows times m [d x d]. */
linked linked_times(const linked *of, const double *m);
double *random_rotation(pen_rng *rng, int64_t d);               /* [d x d], free() it */
double *random_orthonormal(pen_rng *rng, int64_t d, int64_t k); /* [d x k] */
double trace(int64_t k, const double *s);

/* Squared distances of the embedded training rows [n x n], free() it. */
double *embedded_distances(const pen_model *model, const linked *l);

#endif
