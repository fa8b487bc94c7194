/* neighborhood.c - two columns that bring rows of a class near each other: neighborhood components
 * analysis. */
#include "solve/neighborhood.h"

#include "linalg/blas.h"
#include "linalg/cholesky.h"
#include "scatter/class_scatter.h"

#include <math.h>
#include <string.h>

/* The lengths of the first step and of the longest, if both columns initially have length 1. */
static const double FIRST_STEP = 0.07, LONGEST_STEP = 0.7;
static const double FAR = 30;     /* exp(-30) is negligible next to the nearest row, which has 1 */
static const double RIDGE = 1e-6; /* added, in units of the scatter of a column within classes */

struct ascent {
    pen_neighborhood rows;
    pen_factor within; /* the scatter within classes, divided by n */
    double *y, *force; /* [n x 2] */
    double *near;      /* [n] p_ij of one row i */
};

static double square(double a)
{
    return a * a;
}

/* Row i: near = p_ij, not yet divided by their sum. Returns the probability of its class. */
static double look_around(const struct ascent *a, int64_t i, double *sum)
{
    const double *const y = a->y;
    double least = (double)INFINITY, same = 0;

    *sum = 0;
    for (int64_t j = 0; j < a->rows.n; j++) {
        a->near[j] = square(y[2 * i] - y[2 * j]) + square(y[2 * i + 1] - y[2 * j + 1]);
        if (j != i && a->near[j] < least)
            least = a->near[j];
    }
    for (int64_t j = 0; j < a->rows.n; j++) {
        const double beyond = a->near[j] - least;
        a->near[j] = j == i || beyond > FAR ? 0 : exp(-beyond);
        *sum += a->near[j];
        same += a->rows.classes[j] == a->rows.classes[i] ? a->near[j] : 0;
    }
    return same / *sum;
}

/* The mean probability, and its gradient [k x 2]. With w_ij = p_ij (p_i - [j of the class of i]) it
 * is 2 / n sum_ij w_ij (z_i - z_j) (y_i - y_j)', which is Z' of the forces on rows. */
static double evaluate(const struct ascent *a, const double *columns, double *gradient)
{
    const int64_t n = a->rows.n, k = a->rows.k;
    const double *const z = a->rows.z;
    double total = 0;

    memset(a->y, 0, (size_t)(2 * n) * sizeof *a->y);
    memset(a->force, 0, (size_t)(2 * n) * sizeof *a->force);
    memset(gradient, 0, (size_t)(2 * k) * sizeof *gradient);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < 2 * k; j++)
            a->y[2 * i + j % 2] += z[i * k + j / 2] * columns[j];
    for (int64_t i = 0; i < n; i++) {
        double sum;
        const double share = look_around(a, i, &sum);
        total += share;
        for (int64_t j = 0; j < n; j++) {
            if (a->near[j] == 0)
                continue;
            const int same = a->rows.classes[j] == a->rows.classes[i];
            const double w = a->near[j] / sum * (share - same);
            for (int c = 0; c < 2; c++) {
                const double pull = w * (a->y[2 * i + c] - a->y[2 * j + c]);
                a->force[2 * i + c] += pull;
                a->force[2 * j + c] -= pull;
            }
        }
    }
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < 2 * k; j++)
            gradient[j] += 2 / (double)n * z[i * k + j / 2] * a->force[2 * i + j % 2];
    return total / (double)n;
}

/* h = W^-1 g, the gradient in coordinates where W, the scatter within classes, is I; returns its
 * length in these, the root of tr(g'h). */
static double straighten(const struct ascent *a, const double *g, double *h)
{
    memcpy(h, g, (size_t)(2 * a->rows.k) * sizeof *h);
    pen_factor_solve(&a->within, 2, h);
    return fmax(sqrt(pen_dot(2 * a->rows.k, g, h)), 1e-300);
}

static pen_status climb(pen_run *run, const struct ascent *a, int evaluations, double *columns)
{
    const int64_t count = 2 * a->rows.k;
    double *trial, *g, *h, *g_there;

    PEN_TRY(PEN_NEW4(run, trial, g, h, g_there, count));
    double share = evaluate(a, columns, g), length = straighten(a, g, h);
    double step = FIRST_STEP / length;
    for (int e = 1; e < evaluations; e++) {
        double turned = 0;
        PEN_TRY(pen_poll(run));
        for (int64_t i = 0; i < count; i++)
            trial[i] = columns[i] + step * h[i];
        const double there = evaluate(a, trial, g_there);
        if (!(there >= share)) {
            step /= 4;
            continue;
        }
        for (int64_t i = 0; i < count; i++)
            turned += step * h[i] * (g[i] - g_there[i]);
        /* Barzilai and Borwein: the squared length of the step over the turn of the gradient */
        step = turned > 0 ? step * length * step * length / turned : 2 * step;
        share = there;
        memcpy(columns, trial, (size_t)count * sizeof *columns);
        memcpy(g, g_there, (size_t)count * sizeof *g);
        length = straighten(a, g, h);
        step = fmin(step, LONGEST_STEP / length);
    }
    return PEN_OK;
}

/* Scales each column a to a'Wa = 1, unless it does not vary within classes. */
static void scale_columns(const pen_sym *W, double *columns)
{
    for (int c = 0; c < 2; c++) {
        double within = 0;
        for (int64_t i = 0; i < W->d; i++)
            for (int64_t j = 0; j <= i; j++)
                within +=
                    (i == j ? 1 : 2) * W->a[i * W->d + j] * columns[2 * i + c] * columns[2 * j + c];
        for (int64_t j = 0; within > 0 && j < W->d; j++)
            columns[2 * j + c] /= sqrt(within);
    }
}

pen_status pen_neighborhood_improve(pen_run *run, const pen_neighborhood *rows, int evaluations,
                                    double *columns)
{
    const pen_data data = { .x = pen_dense(rows->z, PEN_F64, rows->n, rows->k, rows->k),
                            .labels = rows->classes };
    struct ascent a = { .rows = *rows };
    pen_view x;
    pen_sym W;

    PEN_TRY(pen_sym_zero(run, rows->k, &W));
    PEN_TRY(pen_rows_open(run, &data, 0, PEN_SCALE_NONE, &x));
    PEN_TRY(pen_scatter_classes_weighted(run, 0, 1 / (double)rows->n, &x, NULL, &W));
    PEN_TRY(PEN_NEW2(run, a.y, a.force, pen_times(rows->n, 2)));
    PEN_TRY(PEN_NEW(run, a.near, rows->n));
    scale_columns(&W, columns);
    for (int64_t j = 0; j < W.d; j++) {
        double *const own = &W.a[j * W.d + j];
        *own = *own > W.floor[j] ? (1 + RIDGE) * *own : 1;
        W.floor[j] = 0; /* a column of rounding is harmless now */
    }
    PEN_TRY(pen_factor_open(run, &W, 0, &a.within));
    return climb(run, &a, evaluations, columns);
}
