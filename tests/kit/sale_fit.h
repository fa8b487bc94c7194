/* sale_fit.h - compares models of saloe and salwe with their expected values. */
#ifndef SALE_FIT_H
#define SALE_FIT_H

#include "kit/oracle_fit.h"

/* The small data sets 'A' and 'B' with fits of ten printed digits, matched by library and
 * oracle. */
void check_sale_golden(char which);

/* Fits of many texts on all shapes match the oracle's, or fail with the same status; most must have
 * well-defined columns. */
void check_all_sale_shapes(const char *method, uint64_t tag);

void check_sale_lattice(const char *method, uint64_t tag);
void check_sale_many_rows(const char *method, uint64_t tag);

/* Two models embed the rows equally, up to column signs and the origin. */
void check_sale_embedded(const pen_model *a, const sample *of_a, const pen_model *b,
                         const sample *of_b, double tolerance);

/* Tests of both methods; see the definitions. */
void check_sale_starts(const char *method, uint64_t tag);
void check_sale_seeds(const char *method, uint64_t tag);
void check_sale_stops(const char *method, uint64_t tag);
void check_sale_classes(const char *method, uint64_t tag);
void check_sale_few_rows(const char *method);
void check_sale_errors(const char *method, uint64_t tag);

/* The fraction of unlabelled rows whose nearest labelled row, in the embedding of `text`, has the
 * same class, right [n]. */
double sale_accuracy(const char *text, const sample *s, const int32_t *right);

/* Two classes of equal size, in right [n]: one lies on both sides of the other, far away along the
 * first column and spread widely along the second. `labelled` rows of each cluster have labels. */
sample sale_sides(pen_rng *rng, int64_t n, int64_t labelled, int32_t *right);

#endif
