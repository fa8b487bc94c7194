/* cfld_oracle.c - compact chunklets relative to the spread of all rows. Bar-Hillel, Hertz, Shental,
 * Weinshall: JMLR 6 (2005). */
#include "oracle/pairs_family.h"

#include <math.h>

/* The lengths of the columns: a' St a = 1 as they are, or a' Sw a = 1, or |a| = 1. */
static void scale_columns(const fit_options *o, pair_oracle *f, int64_t w, int64_t usable,
                          const double *theta, double *u)
{
    for (int64_t j = 0; j < usable; j++) {
        double square = 0;
        for (int64_t i = 0; i < f->q; i++) {
            double entry = 0;
            for (int64_t l = 0; l < w; l++)
                entry += f->V[i * w + l] * u[l * w + j];
            square += entry * entry;
        }
        const double size = option_is(o, "column_scaling", "within") ? sqrt(theta[j])
                            : option_is(o, "column_scaling", "unit") ? sqrt(square)
                                                                     : 1;
        for (int64_t l = 0; l < w; l++)
            u[l * w + j] /= size;
    }
}

void cfld_oracle(const fit_options *o, int64_t n, const int *table, pair_oracle *f)
{
    double *within = zeros(f->q * f->q), *total = zeros(f->q * f->q);

    if (f->must == 0) {
        f->status = PEN_NO_PAIRS;
        return;
    }
    pair_chunklet_scatters(option_is(o, "total_rows", "all"), n, table, f, within, total);
    double *variance;
    f->V = dense_span(f->q, total, -0.5, &f->width, &variance);
    const int64_t w = f->width;
    double *theta = zeros(w), *u = zeros(w * w), *ties = zeros(w), *weight = zeros(w);
    double *s = dense_project(f->q, w, within, f->V);
    int64_t z = 0, usable = 0;

    pair_eigen_ascending(w, s, theta, u);
    for (int64_t j = 0; j < w; j++) {
        weight[j] = 1 / variance[j];
        usable += theta[j] < 1 - NULL_SPACE;
    }
    while (z < w && theta[z] <= NULL_SPACE)
        theta[z++] = 0;
    if (z > 1)
        pair_settle(w, 0, z, weight, 1, u, ties);
    if (option_is(o, "column_scaling", "within") && z > 0)
        f->status = PEN_SINGULAR_SCATTER;
    else
        scale_columns(o, f, w, usable, theta, u);
    pair_set_columns(f, w, f->V, u, theta, ties, usable, 0);
}
