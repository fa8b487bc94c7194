/* kernel_rows.c - see kernel_rows.h. */
#include "kit/kernel_rows.h"

static const double NO_MEAN[4096];

pen_view dense_from_0(const double *values, int64_t n, int64_t d)
{
    return (pen_view){ .values = pen_dense(values, PEN_F64, n, d, d),
                       .n = n,
                       .d = d,
                       .mean = NO_MEAN,
                       .origin = NO_MEAN,
                       .offset = NO_MEAN };
}

double *normal_rows(uint64_t tag, int64_t n, int64_t d, double offset)
{
    pen_rng rng = check_rng(tag);
    double *const x = check_allocate(n * d, sizeof *x);

    for (int64_t i = 0; i < n * d; i++)
        x[i] = offset + check_normal(&rng);
    return x;
}

const double golden_d_rows[] = { 0, 0, 1, 0.2, 0.3, 1.1, 2, 2, 2.5, 1.4, 1.8, 2.9, 1, 1 };
const int32_t golden_d_labels[] = { 0, 0, -1, 1, 1, -1 };

const kernel_golden golden_d_rbf = {
    { 3.278879875, 0.7536652538 },
    { -1.621465637, -0.05881325165, -1.389880271, -0.2712193527, -1.062482524, -0.1801213408,
      1.64822062, -0.04626765246, 1.512053792, -0.6262407816, 1.133890951, 0.7688004555 },
    { -0.6199458307, -0.3313853036 },
};

/* The new row is (1, 1): the sums of the rows of T. */
const kernel_golden golden_d_linear = {
    { 12.83685464, 1.526664058 },
    { 0, 0, 3.745080634, 0.9081643839, 4.911940489, -0.8332837323, 13.31849404, 0.1152010024,
      12.64113877, 1.313526592, 15.99362341, -1.065844437 },
    { 3.016539038 + 3.64270798, 1.120805355 - 1.063204853 },
};
