/* regression.c - weighted ridge regression by its normal equations, and the soft assignment of rows
 * to classes. */
#include "solve/regression.h"

#include "core/parallel.h"
#include "linalg/cholesky.h"
#include "linalg/products.h"
#include "linalg/sym.h"

#include <math.h>
#include <string.h>

enum { PIECE = 256 };

static pen_status need_spread(pen_run *run, const pen_view *x)
{
    const int64_t d = x->d;
    double *block;
    int differ = 0;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, block, pen_times(PIECE, d)));
    for (int64_t first = 0; first < x->n && !differ; first += PIECE) {
        const int64_t count = pen_min(PIECE, x->n - first);
        pen_rows_centered(x, NULL, first, count, block);
        for (int64_t i = 0; i < count && !differ; i++)
            for (int64_t j = 0; j < d && !differ; j++)
                differ = fabs(block[i * d + j]) > 2 * x->rounding[j];
    }
    pen_release(run, mark);
    PEN_REQUIRE(run, differ, PEN_RANK_TOO_SMALL,
                "nothing to project on: all rows are equal up to rounding");
    return PEN_OK;
}

pen_status pen_scores_check(pen_run *run, const pen_projection *out)
{
    for (int64_t c = 0; c < out->k; c++) {
        double largest = 0;
        for (int64_t j = 0; j < out->d; j++)
            largest = fmax(largest, fabs(out->W[j * out->k + c]));
        PEN_REQUIRE(
            run, largest > 0, PEN_RANK_TOO_SMALL,
            "nothing to project on: no score of class %lld (counted from 0) depends on the rows",
            (long long)c);
    }
    return PEN_OK;
}

/* Rows with weights above 0, minus their weighted mean, times the roots of their weights. */
struct weighted {
    pen_view x;
    const int64_t *members; /* NULL: all rows */
    const double *root;     /* [count] */
    const double *mean;     /* [d] */
};

static void fill(const void *context, int64_t first, int64_t count, void *block)
{
    const struct weighted *w = context;
    const int64_t d = w->x.d;

    pen_rows_centered(&w->x, w->members, first, count, block);
    for (int64_t i = 0; i < count; i++) {
        const double root = w->root[first + i], *restrict mean = w->mean;
        double *restrict row = (double *)block + i * d;
        for (int64_t j = 0; j < d; j++)
            row[j] = (row[j] - mean[j]) * root;
    }
}

/* Copies q and appends its sums over the classes as a last column [n x (classes + 1)]; lists the
 * rows with a sum other than 0, and the roots of these sums. */
static void weigh(const pen_view *x, const double *q, double *sides, int64_t *members, double *root,
                  int64_t *count)
{
    const int64_t c = x->classes;

    *count = 0;
    for (int64_t i = 0; i < x->n; i++) {
        double sum = 0;
        for (int64_t k = 0; k < c; k++)
            sum += sides[i * (c + 1) + k] = q[i * c + k];
        sides[i * (c + 1) + c] = sum;
        if (sum > 0) {
            members[*count] = i;
            root[(*count)++] = sqrt(sum);
        }
    }
}

/* W, from S + ridge I = the scatter, and b = mean target - W'mean. G [d x (classes + 1)]: products
 * of rows with the sides. */
static pen_status finish(pen_run *run, double ridge, const double *G, const double *total,
                         pen_sym *S, pen_scores_map *map)
{
    const int64_t d = map->d, c = map->classes;
    const double all = total[c];
    pen_factor factor;

    PEN_TRY(pen_factor_open(run, S, ridge, &factor));
    for (int64_t j = 0; j < d; j++)
        for (int64_t k = 0; k < c; k++)
            map->W[j * c + k] = G[j * (c + 1) + k] - G[j * (c + 1) + c] / all * total[k];
    pen_factor_solve(&factor, c, map->W);
    for (int64_t k = 0; k < c; k++) {
        map->b[k] = total[k] / all;
        for (int64_t j = 0; j < d; j++)
            map->b[k] -= G[j * (c + 1) + c] / all * map->W[j * c + k];
    }
    return PEN_OK;
}

/* Minimizes sum_i s_i |f_i - q_i / s_i|^2 + ridge |W|^2 over W and b, s_i the sum of row i of
 * q [n x classes]; rows of zeros have no effect.
 * Cost: n d^2 flops over the rows with s_i > 0, d^3 / 3; memory: blocks of rows, 2 d^2. */
static pen_status regress(pen_run *run, const pen_view *x, double ridge, const double *q,
                          pen_scores_map *map)
{
    const int64_t d = x->d, c = x->classes;
    double *sides, *root, *G, *total, *mean;
    int64_t *members, count;
    pen_sym S;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, sides, pen_times(x->n, c + 1)));
    PEN_TRY(PEN_NEW2(run, members, root, x->n));
    PEN_TRY(PEN_NEW(run, G, pen_times(d, c + 1)));
    PEN_TRY(PEN_FILLED(run, total, c + 1, 0));
    PEN_TRY(PEN_NEW(run, mean, d));
    weigh(x, q, sides, members, root, &count);
    for (int64_t i = 0; i < x->n; i++)
        for (int64_t k = 0; k <= c; k++)
            total[k] += sides[i * (c + 1) + k];
    PEN_TRY(pen_rows_gather(run, x, c + 1, sides, G));
    for (int64_t j = 0; j < d; j++)
        mean[j] = G[j * (c + 1) + c] / total[c];
    const struct weighted w = { pen_rows_precise(x), members, root, mean };
    PEN_TRY(pen_sym_zero(run, d, &S));
    PEN_TRY(pen_sym_add_gram(run, "regression", 1, PEN_F64, count, fill, &w, &S));
    pen_sym_add_floor(total[c], x->rounding, &S);
    PEN_TRY(finish(run, ridge, G, total, &S, map));
    pen_release(run, mark);
    return PEN_OK;
}

/* ---- assignment ---- */

/* Computes squared distances of scores f to the unit vectors; returns the index of the smallest,
 * the first of equal ones. */
static int64_t distances(int64_t c, const double *f, double *D)
{
    const double length = pen_dot(c, f, f);
    int64_t nearest = 0;

    for (int64_t k = 0; k < c; k++) {
        D[k] = fmax(0, length - 2 * f[k] + 1);
        nearest = D[k] < D[nearest] ? k : nearest;
    }
    return nearest;
}

/* p_k in proportion to D_k^(-1/(r - 1)), as powers of numbers in [0, 1]. */
static void assign_row(const pen_soft_labels *s, const double *f, double *p, double *q)
{
    const int64_t c = s->x->classes, nearest = distances(c, f, q);
    const double least = q[nearest];
    double sum = 0;

    for (int64_t k = 0; k < c; k++) {
        if (s->exponent == 1 || least == 0)
            p[k] = k == nearest;
        else
            p[k] = pow(least / q[k], 1 / (s->exponent - 1));
        sum += p[k];
    }
    for (int64_t k = 0; k < c; k++) {
        p[k] /= sum;
        q[k] = pow(p[k], s->exponent);
    }
}

static void assign_rows(void *context, int64_t task, int worker)
{
    const pen_soft_labels *s = context;
    const int64_t c = s->x->classes, end = pen_min(s->x->n, (task + 1) * PIECE);

    (void)worker;
    for (int64_t i = task * PIECE; i < end; i++)
        if (s->class_of[i] < 0)
            assign_row(s, s->scores + i * c, s->p + i * c, s->q + i * c);
}

/* Adds b to the products to make scores, and sums their part of the objective. */
static void score_rows(void *context, int64_t task, int worker)
{
    const pen_soft_labels *s = context;
    const int64_t c = s->x->classes, end = pen_min(s->x->n, (task + 1) * PIECE);
    double sum = 0;

    (void)worker;
    for (int64_t i = task * PIECE; i < end; i++) {
        double *restrict f = s->scores + i * c, length = 0;
        const double *restrict q = s->q + i * c;
        for (int64_t k = 0; k < c; k++) {
            f[k] += s->map.b[k];
            length += f[k] * f[k];
        }
        for (int64_t k = 0; k < c; k++)
            sum += q[k] * fmax(0, length - 2 * f[k] + 1);
    }
    s->parts[task] = sum;
}

static int64_t tasks(const pen_soft_labels *s)
{
    return (s->x->n + PIECE - 1) / PIECE;
}

/* Computes W and b for the current q, and the scores. */
static pen_status project(pen_run *run, pen_soft_labels *s, double *objective)
{
    double sum;

    PEN_TRY(regress(run, s->x, s->ridge, s->q, &s->map));
    PEN_TRY(pen_rows_multiply(run, s->x, s->x->classes, s->map.W, s->scores));
    PEN_TRY(pen_parallel(run, PEN_SILENT, tasks(s), score_rows, s));
    sum = s->ridge * pen_dot(s->x->d * s->x->classes, s->map.W, s->map.W);
    for (int64_t task = 0; task < tasks(s); task++)
        sum += s->parts[task];
    *objective = sum;
    return PEN_OK;
}

pen_status pen_soft_labels_open(pen_run *run, const pen_view *x, double exponent, double ridge,
                                pen_soft_labels *out)
{
    const int64_t n = x->n, c = x->classes;
    double objective;

    PEN_TRY(need_spread(run, x));
    *out = (pen_soft_labels){
        .x = x, .exponent = exponent, .ridge = ridge, .map = { .d = x->d, .classes = c }
    };
    PEN_TRY(PEN_NEW(run, out->map.W, pen_times(x->d, c)));
    PEN_TRY(PEN_NEW(run, out->map.b, c));
    PEN_TRY(PEN_FILLED(run, out->p, pen_times(n, c), 0));
    PEN_TRY(PEN_NEW2(run, out->q, out->scores, pen_times(n, c)));
    PEN_TRY(PEN_NEW(run, out->parts, tasks(out)));
    PEN_TRY(pen_rows_classes(run, x, &out->class_of));
    for (int64_t i = 0; i < n; i++)
        if (out->class_of[i] >= 0)
            out->p[i * c + out->class_of[i]] = 1;
    memcpy(out->q, out->p, (size_t)(n * c) * sizeof *out->q);
    return project(run, out, &objective);
}

pen_status pen_soft_labels_step(pen_run *run, void *context, double *objective)
{
    pen_soft_labels *const s = context;

    PEN_TRY(pen_parallel(run, PEN_SILENT, tasks(s), assign_rows, s));
    return project(run, s, objective);
}

pen_status pen_soft_labels_map(pen_run *run, const pen_soft_labels *s, pen_projection *out)
{
    out->d = s->map.d;
    out->k = s->map.classes;
    out->W = s->map.W;
    out->bias = s->map.b;
    out->propagated = s->p;
    out->ridge = s->ridge;
    return pen_scores_check(run, out);
}
