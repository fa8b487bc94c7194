/* class_mass_oracle.c - see class_mass_oracle.h. Zhu, Ghahramani, Lafferty: ICML 2003. */
#include "oracle/class_mass_oracle.h"

#include <math.h>

static double above_zero(double score)
{
    return score > 0 ? (score < 1e100 ? score : 1e100) : 0;
}

static double floored(double score)
{
    return above_zero(score) + 1e-12;
}

void class_mass_oracle_row(int64_t c, const double *class_mass, const double *F, double *p)
{
    double most = 0;

    for (int64_t k = 0; k < c; k++)
        most = fmax(most, class_mass[k]);
    for (int64_t k = 0; k < c; k++) {
        double rest = 0; /* 1 / p_k is a sum of ratios */
        for (int64_t j = 0; j < c; j++)
            rest += exp(log(class_mass[c + j]) - log(class_mass[c + k])
                        + log(above_zero(F[j]) / class_mass[j] + 1e-12 / most)
                        - log(above_zero(F[k]) / class_mass[k] + 1e-12 / most));
        p[k] = 1 / rest;
    }
}

void class_mass_oracle(int64_t n, int64_t c, const int64_t *class, const double *F, int uniform,
                       double *p, double *class_mass)
{
    int64_t labelled = 0;
    double most = 0;

    for (int64_t i = 0; i < n; i++)
        labelled += class[i] >= 0;
    for (int64_t k = 0; k < c; k++) {
        int64_t own = 0;
        class_mass[k] = 0;
        for (int64_t i = n - 1; i >= 0; i--) {
            own += class[i] == k;
            class_mass[k] += class[i] >= 0 ? 0 : F[i * c + k] > 2 ? 2 : floored(F[i * c + k]);
        }
        class_mass[c + k] =
            uniform || labelled == n ? 1. / (double)c : (double)own / (double)labelled;
        most = class_mass[k] > most ? class_mass[k] : most;
    }
    for (int64_t k = 0; k < c; k++)
        if (labelled == n)
            class_mass[k] = 1;
        else if (class_mass[k] < most / 1e6)
            class_mass[k] = most / 1e6;
    for (int64_t i = 0; i < n; i++)
        class_mass_oracle_row(c, class_mass, F + i * c, p + i * c);
}
