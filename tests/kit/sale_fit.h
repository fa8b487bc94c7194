/* sale_fit.h - compares models of saloe and salwe with their expected values. */
#ifndef SALE_FIT_H
#define SALE_FIT_H

#include "kit/oracle_fit.h"
#include "kit/tables.h"

/* The small data sets 'A' and 'B' with fits of ten printed digits: the library's and the oracle's
 * fits match them. */
void check_sale_golden(char which);

/* The library's fits of many texts on samples of all shapes match the oracle's, or fail with the
 * same status; most of them must have well-defined columns. */
void check_all_sale_shapes(const char *method, uint64_t tag);

void check_sale_lattice(const char *method, uint64_t tag);
void check_sale_many_rows(const char *method, uint64_t tag);

/* The embedded rows of two models are equal, up to the signs of columns and the position of the
 * origin. */
void check_sale_embedded(const pen_model *a, const sample *of_a, const pen_model *b,
                         const sample *of_b, double tolerance);

/* Tests shared by both methods: see the definitions. */
void check_sale_starts(const char *method, uint64_t tag);
void check_sale_seeds(const char *method, uint64_t tag);
void check_sale_stops(const char *method, uint64_t tag);
void check_sale_classes(const char *method, uint64_t tag);
void check_sale_few_rows(const char *method);
void check_sale_errors(const char *method, uint64_t tag);

/* The share of unlabelled rows whose nearest labelled row, in the embedding of `text`, is of their
 * class, right [n]. */
double sale_accuracy(const char *text, const sample *s, const int32_t *right);

/* Rows of two classes, half in each, in right [n]: one class on both sides of the other, far from
 * it along the first column, spread widely along the second; `labelled` rows of each cluster have
 * labels. */
sample sale_sides(pen_rng *rng, int64_t n, int64_t labelled, int32_t *right);

#endif
