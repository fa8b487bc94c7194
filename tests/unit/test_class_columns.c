/* test_class_columns.c - columns for classes known by probabilities, against their definition. */
#include "kit/dense.h"
#include "kit/opened.h"
#include "solve/class_columns.h"

#include <string.h>

enum { N = 60, Q = 9, MOST_CLASSES = 13 };

/* Uncorrelated centered rows with variances variance [Q], and class probabilities. */
typedef struct rows {
    double z[N * Q], p[N * MOST_CLASSES], variance[Q];
    int64_t classes;
} rows;

/* Makes the columns orthogonal one by one. */
static void make(uint64_t tag, int64_t classes, rows *x)
{
    pen_rng rng = check_rng(tag);

    x->classes = classes;
    for (int64_t j = 0; j < Q; j++) {
        double mean = 0;
        for (int64_t i = 0; i < N; i++)
            mean += x->z[i * Q + j] = check_normal(&rng) + (j < 3 ? cos((double)(i * (j + 1))) : 0);
        for (int64_t i = 0; i < N; i++)
            x->z[i * Q + j] -= mean / N;
        for (int64_t b = 0; b < j; b++) {
            double along = 0;
            for (int64_t i = 0; i < N; i++)
                along += x->z[i * Q + j] * x->z[i * Q + b];
            for (int64_t i = 0; i < N; i++)
                x->z[i * Q + j] -= along / (N * x->variance[b]) * x->z[i * Q + b];
        }
        x->variance[j] = 0;
        for (int64_t i = 0; i < N; i++) {
            x->z[i * Q + j] *= (double)(Q - j);
            x->variance[j] += x->z[i * Q + j] * x->z[i * Q + j] / N;
        }
    }
    for (int64_t i = 0; i < N; i++) {
        double sum = 0;
        for (int64_t c = 0; c < classes; c++)
            sum += x->p[i * classes + c] =
                exp(2 * cos((double)(i * (c + 1))) + 0.1 * x->z[i * Q + c % Q]);
        for (int64_t c = 0; c < classes; c++)
            x->p[i * classes + c] /= sum;
        if (i % 7 == 0) /* a label */
            for (int64_t c = 0; c < classes; c++)
                x->p[i * classes + c] = c == i % classes;
    }
}

static int64_t columns_of(const rows *x, double ridge, int64_t most, double *W)
{
    pen_class_means means;
    pen_run *run = check_run(0, NULL);
    int64_t k;

    CHECK_CALL(pen_class_means_find(run, N, NULL, x->z, x->p, Q, x->classes, x->variance, &means));
    CHECK_CALL(pen_class_columns(run, &means, ridge, most, W, &k));
    pen_run_close(run);
    return k;
}

/* S_b = sum_c n_c / n (m_c - m)(m_c - m)', row by row. */
static void between(const rows *x, double *S)
{
    memset(S, 0, Q * Q * sizeof *S);
    for (int64_t c = 0; c < x->classes; c++) {
        double size = 0, mean[Q] = { 0 };
        for (int64_t i = 0; i < N; i++) {
            size += x->p[i * x->classes + c];
            for (int64_t j = 0; j < Q; j++)
                mean[j] += x->p[i * x->classes + c] * x->z[i * Q + j];
        }
        for (int64_t a = 0; a < Q; a++)
            for (int64_t b = 0; b < Q; b++)
                S[a * Q + b] += mean[a] / size * (mean[b] / size) * size / N;
    }
}

static double form(const double *S, const double *v, const double *w)
{
    double sum = 0;

    for (int64_t a = 0; a < Q; a++)
        for (int64_t b = 0; b < Q; b++)
            sum += v[a] * S[a * Q + b] * w[b];
    return sum;
}

/* S_b, and S_w + ridge; returns the ridge in units of the mean variance. */
static double scatters_of(const rows *x, double ridge, double *S, double *regular)
{
    double mean = 0;

    between(x, S);
    for (int64_t j = 0; j < Q; j++)
        mean += x->variance[j] / Q;
    for (int64_t i = 0; i < Q * Q; i++)
        regular[i] = -S[i] + (i % (Q + 1) == 0 ? x->variance[i / Q] + ridge * mean : 0);
    return ridge * mean;
}

/* S_b v = value (S_w + ridge) v for the directions: they are orthogonal in both matrices and of
 * length one in the second, and the ratios decrease. */
static void check_directions(const rows *x, double ridge, const double *W, int64_t count)
{
    double S[Q * Q], regular[Q * Q], last = INFINITY;

    scatters_of(x, ridge, S, regular);
    for (int64_t a = 0; a < count; a++) {
        const double *const v = W + a * Q, ratio = form(S, v, v);
        CHECK(ratio <= last * (1 + 1e-9), "direction %d: %g after %g", (int)a, ratio, last);
        last = ratio;
        for (int64_t b = 0; b < count; b++)
            CHECK_CLOSE(form(regular, v, W + b * Q), a == b, 1e-8, 1e-8);
        for (int64_t j = 0; j < Q; j++)
            CHECK_CLOSE(dense_dot(Q, S + j * Q, v), ratio * dense_dot(Q, regular + j * Q, v), 1e-7,
                        1e-7);
    }
}

/* The remaining columns are orthogonal to the directions and to each other, of length 1 / sqrt(w +
 * ridge s), where w = v'S_w v / v'v decreases and S_w v - w v is in the span of the directions. */
static void check_others(const rows *x, double ridge, const double *W, int64_t count, int64_t k)
{
    double S[Q * Q], within[Q * Q], last = INFINITY;
    const double shift = scatters_of(x, ridge, S, within);

    for (int64_t j = 0; j < Q; j++)
        within[j * (Q + 1)] -= shift;
    for (int64_t a = count; a < k; a++) {
        const double *const v = W + a * Q, length2 = dense_dot(Q, v, v),
                            w = form(within, v, v) / length2;
        CHECK(w <= last * (1 + 1e-9), "column %d: %g after %g", (int)a, w, last);
        last = w;
        CHECK_CLOSE(length2 * (w + shift), 1, 1e-8, 0);
        for (int64_t b = 0; b < k; b++)
            if (b != a)
                CHECK_CLOSE(dense_dot(Q, v, W + b * Q)
                                / sqrt(length2 * dense_dot(Q, W + b * Q, W + b * Q)),
                            0, 0, 1e-8);
        for (int64_t b = count; b < k; b++)
            if (b != a)
                CHECK_CLOSE(form(within, v, W + b * Q)
                                / sqrt(length2 * dense_dot(Q, W + b * Q, W + b * Q)),
                            0, 0, 1e-7 * x->variance[0]);
    }
}

TEST(columns_match_their_definition)
{
    static const double ridges[] = { 0.01, 0.3, 1000 };
    double W[Q * Q];
    rows x;
    for (int64_t classes = 2; classes <= MOST_CLASSES; classes += classes < 5 ? 1 : 4)
        for (int r = 0; r < 3; r++) {
            make((uint64_t)classes, classes, &x);
            assert_int_equal(columns_of(&x, ridges[r], Q, W), Q);
            const int64_t count = classes - 1 < Q ? classes - 1 : Q;
            check_directions(&x, ridges[r], W, count);
            check_others(&x, ridges[r], W, count, Q);
        }
}

/* Fewer columns are the first ones. */
TEST(fewer_columns_are_the_first)
{
    double all[Q * Q], some[Q * Q];
    rows x;
    make(7, 4, &x);
    columns_of(&x, 0.1, Q, all);
    for (int64_t k = 1; k <= Q; k++) {
        assert_int_equal(columns_of(&x, 0.1, k, some), k);
        for (int64_t i = 0; i < k * Q; i++)
            CHECK_CLOSE(fabs(some[i]), fabs(all[i]), 1e-7, 1e-9);
    }
}

/* A class without rows, identical classes, and one column. */
TEST(degenerate_classes)
{
    double W[Q * Q];
    rows x;
    make(8, 4, &x);
    for (int64_t i = 0; i < N; i++) {
        x.p[i * 4 + 2] += x.p[i * 4 + 1];
        x.p[i * 4 + 1] = 0;
    }
    assert_int_equal(columns_of(&x, 0.1, Q, W), Q);
    for (int i = 0; i < Q * Q; i++)
        assert_true(isfinite(W[i]));
    for (int64_t i = 0; i < N * 4; i++)
        x.p[i] = 0.25;
    assert_int_equal(columns_of(&x, 0.1, 3, W), 3);
    for (int e = 0; e < 3 * Q; e++) /* components of the rows, up to rounding */
        CHECK((fabs(W[e]) > 1e-6) == (e % Q == e / Q), "column %d has %g of component %d", e / Q,
              W[e], e % Q);
}
