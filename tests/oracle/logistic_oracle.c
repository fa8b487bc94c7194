/* logistic_oracle.c - see logistic_oracle.h. */
#include "oracle/logistic_oracle.h"

#include "check.h"
#include "kit/dense.h"

enum { ROUNDS = 200, HALVINGS = 60 };

/* Rows with 1 as their last entry; the weights [c x k1] end with the bias. With two classes there
 * is one column, their difference; each class has half of it, so the penalty is twice as large. */
struct problem {
    int64_t l, k1, c;
    double penalty, *rows; /* [l x k1] */
    int32_t *of;           /* [l] */
};

static void shares(const struct problem *q, const double *w, const double *row, double *p)
{
    for (int64_t a = 0; a < q->c; a++) {
        const double own = dense_dot(q->k1, w + a * q->k1, row);
        double rest = 0;
        for (int64_t b = 0; b < q->c; b++)
            rest += exp(dense_dot(q->k1, w + b * q->k1, row) - own);
        p[a] = 1 / rest;
    }
}

static double sum_of_biases(const struct problem *q, const double *w)
{
    double sum = 0;
    for (int64_t a = 0; a < q->c; a++)
        sum += w[a * q->k1 + q->k1 - 1];
    return sum;
}

/* Biases that sum to 0 also minimize half the square of their sum, which makes the matrix
 * regular. */
static double objective(const struct problem *q, const double *w)
{
    double *const p = zeros(q->c), sum = 0.5 * pow(sum_of_biases(q, w), 2);

    for (int64_t a = 0; a < q->c * q->k1; a++)
        sum += (a + 1) % q->k1 ? 0.5 * q->penalty * w[a] * w[a] : 0;
    for (int64_t i = 0; i < q->l; i++) {
        shares(q, w, q->rows + i * q->k1, p);
        sum -= log(p[q->of[i]]);
    }
    return sum;
}

/* gradient [s] and matrix [s x s] of second derivatives, s = c k1. */
static void derive(const struct problem *q, const double *w, double *gradient, double *matrix)
{
    const int64_t k1 = q->k1, s = q->c * k1;
    double *const p = zeros(q->c);

    memset(matrix, 0, (size_t)(s * s) * sizeof *matrix);
    for (int64_t a = 0; a < s; a++) {
        gradient[a] = (a + 1) % k1 ? q->penalty * w[a] : sum_of_biases(q, w);
        for (int64_t b = 0; b < s; b++)
            matrix[a * s + b] = (a + 1) % k1 ? (a == b) * q->penalty : (b + 1) % k1 == 0;
    }
    for (int64_t i = 0; i < q->l; i++) {
        const double *const row = q->rows + i * k1;
        shares(q, w, row, p);
        for (int64_t a = 0; a < s; a++) {
            gradient[a] += (p[a / k1] - (q->of[i] == a / k1)) * row[a % k1];
            for (int64_t b = 0; b < s; b++)
                matrix[a * s + b] +=
                    p[a / k1] * ((a / k1 == b / k1) - p[b / k1]) * row[a % k1] * row[b % k1];
        }
    }
}

static double *minimize(const struct problem *q)
{
    const int64_t s = q->c * q->k1;
    double *const w = zeros(s), *const gradient = zeros(s), *const matrix = zeros(s * s);

    for (int round = 0; round < ROUNDS; round++) {
        double *const next = zeros(s), step = 1;
        derive(q, w, gradient, matrix);
        double *const to = dense_solve(s, 1, matrix, gradient);
        const double now = objective(q, w);
        for (int half = 0; half < HALVINGS; half++, step /= 2) {
            memcpy(next, w, (size_t)s * sizeof *next);
            dense_add(s, -step, to, next);
            if (objective(q, next) <= now)
                break;
        }
        if (step == 1 || objective(q, next) < now)
            memcpy(w, next, (size_t)s * sizeof *w);
    }
    return w;
}

void logistic_oracle(const pen_embedded_rows *e, int64_t m, const double *x, double *p)
{
    struct problem q = { .k1 = e->k + 1, .c = e->classes, .penalty = e->classes == 2 ? 2 : 1 };
    double *const center = dense_mean(e->n, e->k, e->z, e->labels), *const row = zeros(q.k1);
    const double divisor = dense_unit(e->n, e->k, e->z, center);

    q.rows = zeros(e->n * q.k1);
    q.of = check_allocate(e->n, sizeof *q.of);
    row[e->k] = 1;
    for (int64_t i = 0; i < e->n; i++) {
        for (int64_t j = 0; j < e->k; j++)
            row[j] = (e->z[i * e->k + j] - center[j]) / divisor;
        memcpy(q.rows + q.l * q.k1, row, (size_t)q.k1 * sizeof *row);
        q.of[q.l] = e->labels[i];
        q.l += e->labels[i] >= 0;
    }
    double *const w = minimize(&q);
    for (int64_t i = 0; i < m; i++) {
        for (int64_t j = 0; j < e->k; j++)
            row[j] = (x[i * e->k + j] - center[j]) / divisor;
        shares(&q, w, row, p + i * q.c);
    }
}
