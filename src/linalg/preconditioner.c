/* preconditioner.c - Chebyshev steps with a matrix, by their three-term recurrence. */
#include "linalg/preconditioner.h"

#include "core/parallel.h"

#include <math.h>

enum { TASK_ROWS = 256 };

static const double MIN_LOW = 0.05, ERROR = 0.15;

/* Orders vertices breadth first: neighbors are then close in memory, and products have fewer cache
 * misses. */
static void find_order(const pen_csr_sym *A, int64_t *order, int64_t *place)
{
    int64_t count = 0;

    for (int64_t i = 0; i < A->n; i++)
        place[i] = -1;
    for (int64_t root = 0; root < A->n; root++) {
        if (place[root] >= 0)
            continue;
        place[root] = count;
        order[count++] = root;
        for (int64_t at = place[root]; at < count; at++)
            for (int64_t e = A->first[order[at]]; e < A->first[order[at] + 1]; e++)
                if (place[A->other[e]] < 0) {
                    place[A->other[e]] = count;
                    order[count++] = A->other[e];
                }
    }
}

pen_status pen_preconditioner_open(pen_run *run, const pen_csr_sym *A, double dominance,
                                   pen_preconditioner *out)
{
    const double low = fmin(fmax(dominance, MIN_LOW), 0.99), high = 2 - fmin(dominance, low);
    const int64_t n = A->n;
    double *scale, *weight, *diagonal;
    int64_t *order, *place, *first, *other, count = 0;

    *out = (pen_preconditioner){ .center = (low + high) / 2, .half = (high - low) / 2 };
    /* degree + 1 steps, the first from 0, leave 1 / T(center / half), T the Chebyshev polynomial */
    out->degree = (int64_t)ceil(acosh(1 / ERROR) / acosh(out->center / out->half)) - 1;
    PEN_TRY(PEN_NEW3(run, order, scale, diagonal, n));
    PEN_TRY(PEN_NEW(run, first, n + 1));
    PEN_TRY(PEN_NEW2(run, other, weight, A->first[n]));
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, place, n));
    find_order(A, order, place);
    for (int64_t i = 0; i < n; i++) {
        scale[i] = 1 / sqrt(A->diagonal[order[i]]);
        diagonal[i] = 1;
    }
    for (int64_t i = 0; i < n; i++) {
        first[i] = count;
        for (int64_t e = A->first[order[i]]; e < A->first[order[i] + 1]; e++) {
            other[count] = place[A->other[e]];
            weight[count++] = A->weight[e] * scale[i] * scale[place[A->other[e]]];
        }
    }
    first[n] = count;
    pen_release(run, mark);
    out->B = (pen_csr_sym){ n, first, other, weight, diagonal };
    out->scale = scale;
    out->order = order;
    return PEN_OK;
}

/* One step: to = (1 + momentum) from - momentum to + length (v - B from). */
struct chebyshev {
    const pen_preconditioner *M;
    int64_t k;
    double momentum, length;
    const double *given, *from;
    double *v, *to, *y;
};

static void step(void *context, int64_t task, int worker)
{
    const struct chebyshev *t = context;
    const int64_t first = task * TASK_ROWS, end = pen_min(t->M->B.n, first + TASK_ROWS);
    const double *restrict v = t->v, *restrict from = t->from, *restrict product = t->y;
    double *restrict to = t->to;

    (void)worker;
    pen_csr_multiply_rows(&t->M->B, first, end, t->k, t->from, t->y);
    for (int64_t i = first * t->k; i < end * t->k; i++)
        to[i] = from[i] + t->momentum * (from[i] - to[i]) + t->length * (v[i] - product[i]);
}

/* v in the order and the units of B, and the first step, from 0. */
static void begin(void *context, int64_t task, int worker)
{
    const struct chebyshev *t = context;
    const int64_t k = t->k, end = pen_min(t->M->B.n, (task + 1) * TASK_ROWS);

    (void)worker;
    for (int64_t i = task * TASK_ROWS; i < end; i++)
        for (int64_t c = 0; c < k; c++) {
            t->v[i * k + c] = t->M->scale[i] * t->given[t->M->order[i] * k + c];
            t->to[i * k + c] = t->v[i * k + c] / t->M->center;
        }
}

static void finish(void *context, int64_t task, int worker)
{
    const struct chebyshev *t = context;
    const int64_t k = t->k, end = pen_min(t->M->B.n, (task + 1) * TASK_ROWS);

    (void)worker;
    for (int64_t i = task * TASK_ROWS; i < end; i++)
        for (int64_t c = 0; c < k; c++)
            t->y[t->M->order[i] * k + c] = t->M->scale[i] * t->to[i * k + c];
}

pen_status pen_preconditioner_apply(pen_run *run, const void *context, int64_t k, const double *v,
                                    double *y)
{
    const pen_preconditioner *const M = context;
    const int64_t n = M->B.n, tasks = (n + TASK_ROWS - 1) / TASK_ROWS;
    struct chebyshev t = { .M = M, .k = k, .given = v, .y = y };
    double *before, rho = M->half / M->center;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_FILLED(run, before, pen_times(n, k), 0));
    PEN_TRY(PEN_NEW2(run, t.to, t.v, pen_times(n, k)));
    PEN_TRY(pen_parallel(run, PEN_SILENT, tasks, begin, &t));
    for (int64_t j = 1; j <= M->degree; j++) {
        const double next = 1 / (2 * M->center / M->half - rho);
        t.momentum = next * rho;
        t.length = 2 * next / M->half;
        t.from = t.to;
        t.to = before;
        before = (double *)t.from;
        PEN_TRY(pen_parallel(run, PEN_SILENT, tasks, step, &t));
        rho = next;
    }
    PEN_TRY(pen_parallel(run, PEN_SILENT, tasks, finish, &t));
    pen_release(run, mark);
    return PEN_OK;
}
