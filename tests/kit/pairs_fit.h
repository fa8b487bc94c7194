/* pairs_fit.h - rows with pairs, and comparisons of models of pair methods: the counterpart of
 * kit/check_fit.h. */
#ifndef PAIRS_FIT_H
#define PAIRS_FIT_H

#include "kit/check_fit.h"

/* ---- rows and pairs ---- */

/* Their memory lasts until the program ends. */
typedef struct linked {
    sample s;
    int labels; /* s.y is part of the supervision */
    int64_t must_count, cannot_count;
    /* [must_count x 2], [cannot_count x 2], consistent with the classes of the rows */
    int64_t *must, *cannot;
    double *must_weights, *cannot_weights; /* [must_count], [cannot_count], or NULL */
} linked;

/* Rows of classes 0 .. classes - 1, all stored in s.y, and random pairs of each kind, possibly
 * repeated. No labels. */
linked linked_random(pen_rng *rng, int64_t n, int64_t d, int64_t classes, int64_t must_count,
                     int64_t cannot_count);

/* The same with random lists of different lengths. */
void linked_draw(pen_rng *rng, linked *l, int64_t must_count, int64_t cannot_count);

/* Keeps this number of random labels, as part of the supervision. */
void linked_label(pen_rng *rng, linked *l, int64_t labelled);

/* Random weights, some 0, some above 1, equal for equal pairs; 1 for pairs of labelled rows. Do not
 * add pairs afterwards. */
void linked_weigh(pen_rng *rng, linked *l);

/* The same rows with every pair of the supervision listed once, and no labels. */
linked linked_expand(const linked *of);

linked linked_copy(const linked *of); /* without weights */
void linked_new_weights(linked *l);   /* one for each pair; 0: none */
linked linked_golden(const char *name);
void linked_add(linked *l, int kind, int64_t i, int64_t j); /* kind as a pen_link */
pen_data linked_data(const linked *l);

/* Rows with all pairs except about one in 50. */
linked linked_nearly_all(pen_rng *rng, int64_t n, int64_t d, int64_t classes);

/* Rows with pairs of many shapes, selected by `which`, 0 <= which < LINKED_SHAPES. */
enum { LINKED_SHAPES = 22 };
linked linked_shape(pen_rng *rng, int which);

/* ---- models ---- */

/* A number in the info of a model, or NaN. */
double info_number(const pen_model *model, const char *name);

/* ---- helpers ---- */

/* Rows times m [d x d]. */
linked linked_times(const linked *of, const double *m);
double *random_rotation(pen_rng *rng, int64_t d); /* [d x d] */

#endif
