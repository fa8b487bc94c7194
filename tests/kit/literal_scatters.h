/* literal_scatters.h - the total, class and locally scaled scatters: sums over all pairs of rows, a
 * sorted list for every neighbor.
 *
 * Nothing here calls the library. */
#ifndef LITERAL_SCATTERS_H
#define LITERAL_SCATTERS_H

#include <stdint.h>

/* The three forms of S_lb in the specification, and S_lw, with local scaling over all rows, the
 * labelled rows or those of the class. */
enum oracle_scaling { ORACLE_CLASSWISE, ORACLE_LABELLED, ORACLE_ALL };
enum oracle_form {
    ORACLE_LB_WEIGHTS, /* the weights of the definition, some of them negative        */
    ORACLE_LB_SUM,     /* S_b + sum_m (1/n'_m - 1/n') P_m                             */
    ORACLE_LB_REST,    /* S_t' - sum_m (n'_m/n') S_m + sum_m (1/n' - 1/n'_m) G_m      */
    ORACLE_LW
};
void oracle_local(int64_t n, int64_t d, const double *x, const int32_t *y, int64_t neighbors,
                  enum oracle_scaling scaling, enum oracle_form form, double *s);

/* sigma_i [n] (0 for unlabelled rows). */
void oracle_sigma(int64_t n, int64_t d, const double *x, const int32_t *y, int64_t neighbors,
                  enum oracle_scaling scaling, double *sigma);

/* S_t of all rows and the Fisher scatters of the labelled ones [d x d]. */
void oracle_total(int64_t n, int64_t d, const double *x, double *s);
void oracle_fisher(int64_t n, int64_t d, const double *x, const int32_t *y, double *between,
                   double *within);

#endif
