/* literal_scatters.h - the total, class and locally scaled scatters: sums over all pairs of rows, a
 * sorted list for every neighbor.
 *
 * Nothing here calls the library. */
#ifndef LITERAL_SCATTERS_H
#define LITERAL_SCATTERS_H

#include <stdint.h>

/* The rows among which the neighbors are that scale affinities locally. */
enum oracle_scaling { ORACLE_CLASSWISE, ORACLE_LABELLED, ORACLE_ALL };

/* Affinities of pairs of a class: scaled locally, or by one width (0: the mean of sigma_i^2 over
 * the labelled rows), 1 for the nearest rows of either, or 1. */
enum oracle_affinity { ORACLE_LOCAL, ORACLE_HEAT, ORACLE_KNN, ORACLE_ONE };
typedef struct oracle_affinities {
    enum oracle_affinity kind;
    int64_t neighbors;
    enum oracle_scaling scaling;
    double heat;
} oracle_affinities;

/* S_lb [d x d], with the weights of its definition, some of them negative, or S_lw. */
enum oracle_form { ORACLE_LB, ORACLE_LW };
void oracle_local(int64_t n, int64_t d, const double *x, const int32_t *y,
                  const oracle_affinities *how, enum oracle_form form, double *s);

/* sigma_i [n] (0 for unlabelled rows). */
void oracle_sigma(int64_t n, int64_t d, const double *x, const int32_t *y, int64_t neighbors,
                  enum oracle_scaling scaling, double *sigma);

/* S_t of all rows and the Fisher scatters of the labelled ones [d x d]. */
void oracle_total(int64_t n, int64_t d, const double *x, double *s);
/* The directions in which rows differ: an orthonormal basis [d x rank]. */
double *oracle_span_of_rows(int64_t n, int64_t d, const double *x, int64_t *rank);
void oracle_fisher(int64_t n, int64_t d, const double *x, const int32_t *y, double *between,
                   double *within);

#endif
