/* test_neighborhood.c - neighborhood components against the literal sum and finite differences. */
#include "kit/opened.h"
#include "solve/neighborhood.h"

#include <string.h>

enum { ROWS = 60, COLUMNS = 3 };

static double sum_of(const pen_neighborhood *rows, const double *a)
{
    double total = 0;

    for (int64_t i = 0; i < rows->n; i++) {
        double all = 0, same = 0;
        for (int64_t j = 0; j < rows->n; j++) {
            double d[2] = { 0, 0 };
            for (int64_t m = 0; m < 2 * rows->k; m++)
                d[m % 2] += a[m] * (rows->z[i * rows->k + m / 2] - rows->z[j * rows->k + m / 2]);
            const double p = i == j ? 0 : exp(-d[0] * d[0] - d[1] * d[1]);
            all += p;
            same += rows->classes[j] == rows->classes[i] ? p : 0;
        }
        total += same / all;
    }
    return total;
}

static void improve(const pen_neighborhood *rows, int evaluations, double *columns)
{
    pen_run *run = check_run(0, NULL);

    CHECK_CALL(pen_neighborhood_improve(run, rows, evaluations, columns));
    for (int m = 0; m < 2 * COLUMNS; m++)
        assert_true(isfinite(columns[m]));
    pen_run_close(run);
}

/* Three overlapping classes in dependent columns of very different units. */
static pen_neighborhood make(double *z, int32_t *classes)
{
    pen_rng rng = check_rng(1);

    for (int64_t i = 0; i < ROWS; i++) {
        double v[COLUMNS];
        classes[i] = (int32_t)(i % 3);
        for (int64_t j = 0; j < COLUMNS; j++)
            v[j] = check_normal(&rng) + (j == classes[i] ? 1.5 : 0);
        z[i * COLUMNS] = 1000 * v[0];
        z[i * COLUMNS + 1] = v[1] + v[0];
        z[i * COLUMNS + 2] = 0.01 * (v[2] - v[1]);
    }
    return (pen_neighborhood){ ROWS, COLUMNS, z, classes };
}

/* W v for the scatter W of rows about their class means, v [k x 2]. */
static void within(const pen_neighborhood *rows, const double *v, double *out)
{
    double mean[3][COLUMNS] = { { 0 } };

    memset(out, 0, 2 * COLUMNS * sizeof *out);
    for (int64_t i = 0; i < ROWS; i++)
        for (int64_t j = 0; j < COLUMNS; j++)
            mean[rows->classes[i]][j] += rows->z[i * COLUMNS + j] / (ROWS / 3);
    for (int64_t i = 0; i < ROWS; i++)
        for (int64_t m = 0; m < 2 * COLUMNS * COLUMNS; m++) {
            const int64_t c = m % 2, j = m / 2 % COLUMNS, l = m / 2 / COLUMNS;
            out[2 * j + c] += (rows->z[i * COLUMNS + j] - mean[rows->classes[i]][j])
                              * (rows->z[i * COLUMNS + l] - mean[rows->classes[i]][l])
                              * v[2 * l + c];
        }
}

/* The sum increases with every evaluation, and the first step is along W^-1 times the gradient. */
TEST(ascent)
{
    double z[ROWS * COLUMNS], a[20][2 * COLUMNS], moved[2 * COLUMNS], before = 0, gm = 0, gg = 0,
                                                                      mm = 0;
    const double unit[COLUMNS] = { 1e-3, 1, 100 };
    int32_t classes[ROWS];
    const pen_neighborhood rows = make(z, classes);

    for (int evaluations = 1; evaluations < 20; evaluations++) {
        double *const at = a[evaluations];
        memcpy(at, (double[2 * COLUMNS]){ 1e-3, 0, 0, 1, 0, 0 }, sizeof a[0]);
        improve(&rows, evaluations, at);
        const double sum = sum_of(&rows, at);
        CHECK(sum >= before * (1 - 1e-12), "evaluation %d: %g after %g", evaluations, sum, before);
        before = sum;
    }
    CHECK(before > sum_of(&rows, a[1]) + 1.5, "%g after %g", before, sum_of(&rows, a[1]));
    for (int m = 0; m < 2 * COLUMNS; m++)
        a[0][m] = a[2][m] - a[1][m];
    within(&rows, a[0], moved);
    for (int m = 0; m < 2 * COLUMNS; m++) {
        const double h = 1e-5, was = a[1][m];
        a[1][m] = was + h * unit[m / 2];
        const double up = sum_of(&rows, a[1]);
        a[1][m] = was - h * unit[m / 2];
        const double g = (up - sum_of(&rows, a[1])) / (2 * h);
        a[1][m] = was;
        moved[m] *= unit[m / 2];
        gm += g * moved[m];
        gg += g * g;
        mm += moved[m] * moved[m];
    }
    CHECK_CLOSE(gm / sqrt(gg * mm), 1, 0, 1e-5);
}

/* Other units of the columns give the same picture. */
TEST(units)
{
    double z[ROWS * COLUMNS], a[2 * COLUMNS] = { 1e-3, 0, 0, 1, 0, 0 },
                                    b[2 * COLUMNS] = { 1, 0, 0, 1, 0, 0 };
    int32_t classes[ROWS];
    const pen_neighborhood rows = make(z, classes);

    improve(&rows, 15, a);
    for (int64_t i = 0; i < ROWS; i++)
        z[i * COLUMNS] /= 1000;
    improve(&rows, 15, b);
    for (int m = 0; m < 2 * COLUMNS; m++)
        CHECK_CLOSE(a[m] * (m < 2 ? 1000 : 1), b[m], 1e-4, 1e-4);
}

/* Equal rows, and classes without scatter. */
TEST(degenerate)
{
    double z[ROWS * COLUMNS] = { 0 }, a[2 * COLUMNS] = { 1, 0, 0, 1, 0, 0 };
    int32_t classes[ROWS];
    pen_neighborhood rows = make(z, classes);

    for (int64_t i = 0; i < ROWS * COLUMNS; i++)
        z[i] = classes[i / COLUMNS] == i % COLUMNS;
    improve(&rows, 15, a);
    memset(z, 0, sizeof z);
    improve(&rows, 15, a);
}
