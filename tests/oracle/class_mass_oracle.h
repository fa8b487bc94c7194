/* class_mass_oracle.h - class-mass normalization from logarithms. */
#ifndef CLASS_MASS_ORACLE_H
#define CLASS_MASS_ORACLE_H

#include <stdint.h>

/* Probabilities p [n x c] of scores F [n x c], and the masses and priors class_mass [2 x c]. class
 * [n]: 0 .. c - 1, -1: unlabelled. uniform: equal priors. */
void class_mass_oracle(int64_t n, int64_t c, const int64_t *class, const double *F, int uniform,
                       double *p, double *class_mass);

/* A row of probabilities from a row of scores. */
void class_mass_oracle_row(int64_t c, const double *class_mass, const double *F, double *p);

#endif
