/* literal_scatters.h - total, class and locally scaled scatters: sums over all pairs of rows,
 * sorted lists of neighbors.
 *
 * Nothing here calls the library. */
#ifndef LITERAL_SCATTERS_H
#define LITERAL_SCATTERS_H

#include <stdint.h>

/* The candidate neighbors for the local scaling of affinities. */
enum oracle_scaling { ORACLE_CLASSWISE, ORACLE_LABELLED, ORACLE_ALL };

/* Affinities of pairs in a class: locally scaled, of one width (0: the mean of sigma_i^2 over
 * labelled rows), 1 for the nearest rows of either end, or all 1. */
enum oracle_affinity { ORACLE_LOCAL, ORACLE_HEAT, ORACLE_KNN, ORACLE_ONE };
typedef struct oracle_affinities {
    enum oracle_affinity kind;
    int64_t neighbors;
    enum oracle_scaling scaling;
    double heat;
} oracle_affinities;

/* S_lb [d x d], with its weights as defined, some negative, or S_lw. */
enum oracle_form { ORACLE_LB, ORACLE_LW };
void oracle_local(int64_t n, int64_t d, const double *x, const int32_t *y,
                  const oracle_affinities *how, enum oracle_form form, double *s);

/* sigma_i [n] (0 for unlabelled rows). */
void oracle_sigma(int64_t n, int64_t d, const double *x, const int32_t *y, int64_t neighbors,
                  enum oracle_scaling scaling, double *sigma);

/* S_t of all rows and the Fisher scatters of labelled rows [d x d]. */
void oracle_total(int64_t n, int64_t d, const double *x, double *s);
/* The span of the centered rows: an orthonormal basis [d x rank]. */
double *oracle_span_of_rows(int64_t n, int64_t d, const double *x, int64_t *rank);
void oracle_fisher(int64_t n, int64_t d, const double *x, const int32_t *y, double *between,
                   double *within);

#endif
