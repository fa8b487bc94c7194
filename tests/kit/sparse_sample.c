/* sparse_sample.c - values as sparse rows. */
#include "kit/sparse_sample.h"

static double value_of(const pen_array *x, int64_t i, int64_t j)
{
    const int64_t at = i * x->stride + j * (x->step ? x->step : 1);
    return x->dtype == PEN_F64   ? ((const double *)x->values)[at]
           : x->dtype == PEN_F32 ? (double)((const float *)x->values)[at]
                                 : (double)((const unsigned char *)x->values)[at];
}

static int is_stored(double value, int64_t i, int64_t j, enum zeros stored)
{
    return value != 0 || stored == ALL_ZEROS || (stored == SOME_ZEROS && (i * 7 + j * 3) % 5 == 0);
}

pen_array sparse_of(const pen_array *x, enum zeros stored)
{
    int64_t *const starts = check_allocate(x->rows + 1, sizeof *starts), count = 0;
    for (int64_t i = 0; i < x->rows; i++)
        for (int64_t j = 0; j < x->cols; j++)
            count += is_stored(value_of(x, i, j), i, j, stored);
    int32_t *const columns = check_allocate(count + 1, sizeof *columns);
    char *const values = check_allocate(count + 1, 8);

    count = 0;
    for (int64_t i = 0; i < x->rows; i++) {
        starts[i] = count;
        for (int64_t j = 0; j < x->cols; j++) {
            const double value = value_of(x, i, j);
            if (!is_stored(value, i, j, stored))
                continue;
            if (x->dtype == PEN_F64)
                ((double *)(void *)values)[count] = value;
            else if (x->dtype == PEN_F32)
                ((float *)(void *)values)[count] = (float)value;
            else
                ((unsigned char *)values)[count] = (unsigned char)value;
            columns[count++] = (int32_t)j;
        }
    }
    starts[x->rows] = count;
    return pen_csr(values, x->dtype, starts, columns, x->rows, x->cols);
}

sample sparse_golden(void)
{
    sample s = sample_new(60, 400);

    for (int64_t i = 0; i < s.n; i++) {
        for (int64_t j = 0; j < s.d; j++)
            s.x[i * s.d + j] =
                (7 * i + 11 * j + i * j) % 17 < 2 ? (double)((i + 1) * (j + 3) % 5 + 1) : 0;
        s.y[i] = i % 2 == 0 ? (int32_t)(i / 2 % 3) : PEN_UNLABELLED;
    }
    return s;
}

sample sparse_random(pen_rng *rng, int64_t n, int64_t d, int64_t classes, int64_t labelled)
{
    sample s = sample_random(rng, n, d, classes, labelled);

    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < d; j++) {
            double *const value = &s.x[i * d + j];
            const uint64_t one_of = j % 7 == 3 ? 1 : 2 + (uint64_t)(j % 5);
            const int empty = i % 19 == 5 || j % 11 == 10;
            *value = empty || pen_rng_below(rng, (int64_t)one_of) > 0
                         ? 0
                         : fmin(255, floor(fabs(*value) * 4) + (j % 7 == 3 ? 200 : 1));
        }
    return s;
}

sample sparse_few(pen_rng *rng, int64_t n, int64_t d, int64_t entries)
{
    sample s = sample_new(n, d);

    for (int64_t i = 0; i < n; i++) {
        s.y[i] = PEN_UNLABELLED;
        s.x[i * d] = (double)(1 + pen_rng_below(rng, 9));
        for (int64_t e = 1; e < entries; e++)
            s.x[i * d + pen_rng_below(rng, d)] = (double)(1 + pen_rng_below(rng, 200));
    }
    return s;
}
