/* kernel_gamma.c - medians of distances between rows from a fixed draw. */
#include "kernels/kernel_gamma.h"

#include "core/row_order.h"
#include "core/sort.h"

#include <float.h>

enum { DRAWN = 500 };

int pen_kernel_has_gamma(enum pen_kernel_kind kind)
{
    return kind == PEN_KERNEL_RBF || kind == PEN_KERNEL_LAPLACIAN || kind == PEN_KERNEL_POLYNOMIAL;
}

/* The median of the positive numbers in values [count]; 0 if there is none. */
static pen_status positive_median(pen_run *run, int64_t count, const double *values, double *median)
{
    double *sorted;
    int64_t kept;

    PEN_TRY(pen_sort_positive(run, "kernel", count, values, &sorted, &kept));
    /* the mean of the middle two, without overflow */
    *median = kept > 0 ? sorted[(kept - 1) / 2] / 2 + sorted[kept / 2] / 2 : 0;
    return PEN_OK;
}

static pen_status median_distance(pen_run *run, const pen_kernel *kernel, const pen_view *x,
                                  int64_t count, const int64_t *rows, double *median)
{
    const int64_t pairs = pen_times(count, count);
    const pen_kernel unscaled = { .kind = kernel->kind, .gamma = 1 };
    pen_kernel_set set;
    double *distances;
    int64_t kept = 0;

    PEN_TRY(pen_kernel_open(run, &unscaled, x, count, rows, &set));
    PEN_TRY(PEN_NEW(run, distances, pairs));
    PEN_TRY(pen_kernel_values(run, PEN_SILENT, &set, 1, x, rows, count, distances, count));
    for (int64_t i = 0; i < count; i++)
        for (int64_t j = 0; j < i; j++)
            distances[kept++] = distances[i * count + j];
    return positive_median(run, kept, distances, median);
}

static pen_status median_length2(pen_run *run, const pen_view *x, int64_t count,
                                 const int64_t *rows, double *median)
{
    const pen_kernel linear = { .kind = PEN_KERNEL_LINEAR };
    double *lengths;

    PEN_TRY(PEN_NEW(run, lengths, count));
    PEN_TRY(pen_kernel_diagonal(run, &linear, x, rows, count, lengths));
    return positive_median(run, count, lengths, median);
}

pen_status pen_kernel_gamma(pen_run *run, const pen_kernel *kernel, const pen_view *x,
                            uint64_t seed, double *gamma)
{
    const pen_mark_t mark = pen_mark(run);
    const int64_t count = pen_min(x->n, DRAWN);
    int64_t *rows = NULL;
    double median = 0;

    *gamma = 1;
    if (!pen_kernel_has_gamma(kernel->kind))
        return PEN_OK;
    if (x->n > DRAWN)
        PEN_TRY(pen_rows_draw(run, x, count, seed, &rows));
    PEN_TRY(kernel->kind == PEN_KERNEL_POLYNOMIAL
                ? median_length2(run, x, count, rows, &median)
                : median_distance(run, kernel, x, count, rows, &median));
    pen_release(run, mark);
    if (median > 0)
        *gamma = 1 / median;
    PEN_REQUIRE(run, *gamma > 0 && *gamma <= DBL_MAX, PEN_BAD_DATA,
                "kernel_gamma must be finite and > 0, got 1 / %g, measured on the rows", median);
    return PEN_OK;
}
