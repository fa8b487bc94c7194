/* logistic_oracle.c - see logistic_oracle.h. */
#include "oracle/logistic_oracle.h"

#include "check.h"
#include "kit/dense.h"

enum { ROUNDS = 200, HALVINGS = 60 };

/* Rows with a 1 as their last entry; the weights [columns x (k + 1)] have a bias as theirs. */
struct problem {
    int64_t l, k, c, columns; /* two classes have one column, the others one a class */
    double *rows;             /* [l x (k + 1)] */
    int32_t *of;              /* [l] */
};

static void shares(const struct problem *q, const double *w, const double *row, double *p)
{
    double *const score = zeros(q->c);

    for (int64_t a = 0; a < q->columns; a++)
        score[q->columns == 1 ? 1 : a] = dense_dot(q->k + 1, w + a * (q->k + 1), row);
    for (int64_t a = 0; a < q->c; a++) {
        double rest = 0;
        for (int64_t b = 0; b < q->c; b++)
            rest += exp(score[b] - score[a]);
        p[a] = 1 / rest;
    }
    free(score);
}

/* Biases that sum to 0 minimize half the square of their sum, too; it makes the matrix regular. */
static double objective(const struct problem *q, const double *w)
{
    double *const p = zeros(q->c), sum = 0, biases = 0;

    for (int64_t a = 0; a < q->columns; a++) {
        biases += w[a * (q->k + 1) + q->k];
        for (int64_t j = 0; j < q->k; j++)
            sum += 0.5 * pow(w[a * (q->k + 1) + j], 2);
    }
    sum += q->columns > 1 ? 0.5 * biases * biases : 0;
    for (int64_t i = 0; i < q->l; i++) {
        shares(q, w, q->rows + i * (q->k + 1), p);
        sum -= log(p[q->of[i]]);
    }
    free(p);
    return sum;
}

/* gradient [s] and matrix [s x s] of second derivatives, s = columns (k + 1). */
static void derive(const struct problem *q, const double *w, double *gradient, double *matrix)
{
    const int64_t k1 = q->k + 1, s = q->columns * k1;
    double *const p = zeros(q->c), biases = 0;

    memset(gradient, 0, (size_t)s * sizeof *gradient);
    memset(matrix, 0, (size_t)(s * s) * sizeof *matrix);
    for (int64_t a = 0; a < q->columns; a++)
        biases += w[a * k1 + q->k];
    for (int64_t a = 0; a < s; a++) {
        gradient[a] = a % k1 < q->k ? w[a] : q->columns > 1 ? biases : 0;
        matrix[a * s + a] = a % k1 < q->k;
        for (int64_t b = 0; b < s; b++)
            matrix[a * s + b] += q->columns > 1 && a % k1 == q->k && b % k1 == q->k;
    }
    for (int64_t i = 0; i < q->l; i++) {
        const double *const row = q->rows + i * k1;
        shares(q, w, row, p);
        for (int64_t a = 0; a < s; a++) {
            const int64_t own = q->columns == 1 ? 1 : a / k1;
            gradient[a] += (p[own] - (q->of[i] == own)) * row[a % k1];
            for (int64_t b = 0; b < s; b++) {
                const int64_t other = q->columns == 1 ? 1 : b / k1;
                matrix[a * s + b] +=
                    p[own] * ((own == other) - p[other]) * row[a % k1] * row[b % k1];
            }
        }
    }
    free(p);
}

static double *minimize(const struct problem *q)
{
    const int64_t s = q->columns * (q->k + 1);
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
        free(next), free(to);
    }
    free(gradient), free(matrix);
    return w;
}

void logistic_oracle(const pen_embedded_rows *e, int64_t m, const double *x, double *p)
{
    struct problem q = { .k = e->k, .c = e->classes, .columns = e->classes > 2 ? e->classes : 1 };
    double *const center = dense_mean(e->n, e->k, e->z, e->labels), *const row = zeros(e->k + 1);
    const double divisor = dense_unit(e->n, e->k, e->z, center);

    for (int64_t i = 0; i < e->n; i++)
        q.l += e->labels[i] >= 0;
    q.rows = zeros(q.l * (e->k + 1));
    q.of = check_allocate(q.l, sizeof *q.of);
    for (int64_t i = 0, at = 0; i < e->n; i++) {
        if (e->labels[i] < 0)
            continue;
        for (int64_t j = 0; j < e->k; j++)
            q.rows[at * (e->k + 1) + j] = (e->z[i * e->k + j] - center[j]) / divisor;
        q.rows[at * (e->k + 1) + e->k] = 1;
        q.of[at++] = e->labels[i];
    }
    double *const w = minimize(&q);
    for (int64_t i = 0; i < m; i++) {
        for (int64_t j = 0; j < e->k; j++)
            row[j] = (x[i * e->k + j] - center[j]) / divisor;
        row[e->k] = 1;
        shares(&q, w, row, p + i * q.c);
    }
    free(center), free(row), free(q.rows), free(q.of), free(w);
}
