/* trace_ratio.c - Newton's method for the root of a convex function: the sum of the k largest
 * eigenvalues of A - ratio B. */
#include "solve/trace_ratio.h"

#include "linalg/blas.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 200 };

static const double BOUNDED = 1e-13; /* of tr B: the least sum of its k smallest eigenvalues */
static const double ENDED = 1e-12;   /* of |tr A| + |ratio| |tr B|: smaller sums count as 0 */

struct newton {
    const pen_sym *A, *B;
    int64_t d, k;
    enum pen_newton how;
    double ratio;
    double *transposed, *BV; /* [d x d] */
    double *b;               /* [d] v'B v of eigenvectors */
    struct choice *order;    /* [d] */
};

struct choice {
    double value, b;
    int64_t number;
};

static int by_value(const void *left, const void *right)
{
    const struct choice *p = left, *q = right;
    if (p->value != q->value)
        return p->value > q->value ? -1 : 1;
    return (p->number > q->number) - (p->number < q->number);
}

/* Checks the smallest possible tr(W'B W), relative to tr B. */
static pen_status check_bounded(pen_run *run, const pen_sym *B, int64_t k)
{
    double sum = 0;
    pen_eig e;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(pen_eig_indefinite(run, B, NULL, &e));
    for (int64_t i = B->d - k; i < B->d; i++)
        sum += e.values[i];
    PEN_REQUIRE(run, sum > BOUNDED * pen_sym_trace(B), PEN_SINGULAR_SCATTER,
                "the ratio is unbounded: the denominator scatter is zero in %lld directions "
                "(sum of its smallest eigenvalues %.2g)",
                (long long)k, sum);
    pen_release(run, mark);
    return PEN_OK;
}

/* Finds A - ratio B and its eigenvectors. */
static pen_status decompose(pen_run *run, const struct newton *s, pen_eig *e)
{
    pen_sym M;

    PEN_TRY(pen_sym_copy(run, s->A, &M));
    for (int64_t i = 0; i < s->d; i++)
        for (int64_t j = 0; j <= i; j++)
            M.a[i * s->d + j] -= s->ratio * s->B->a[i * s->d + j];
    return pen_eig_indefinite(run, &M, NULL, e);
}

/* Computes b of the first `count` eigenvectors. */
static void denominators(const struct newton *s, const pen_eig *e, int64_t count)
{
    const int64_t d = s->d;

    pen_transpose(count, d, e->vectors, s->transposed);
    pen_blas_symm(d, count, s->B->a, s->transposed, s->BV);
    memset(s->b, 0, (size_t)count * sizeof *s->b);
    for (int64_t j = 0; j < d; j++)
        for (int64_t i = 0; i < count; i++)
            s->b[i] += s->transposed[j * count + i] * s->BV[j * count + i];
}

/* The growth of the ratio: a = value + ratio b, so sum a / sum b = ratio + sum value / sum b, which
 * does not cancel. First takes the first k; then, of all eigenvectors, the k with the largest
 * a - (ratio + growth) b = value - growth b, until it gains nothing. */
static double growth_of(const struct newton *s, const pen_eig *e)
{
    double growth = -INFINITY;

    denominators(s, e, s->how == PEN_NEWTON_PLAIN ? s->k : s->d);
    for (int64_t i = 0; i < (s->how == PEN_NEWTON_PLAIN ? s->k : s->d); i++)
        s->order[i] = (struct choice){ e->values[i], s->b[i], i };
    for (;;) {
        double values = 0, b = 0;
        for (int64_t i = 0; i < s->k; i++) {
            values += e->values[s->order[i].number];
            b += s->order[i].b;
        }
        if (!(values / b > growth))
            return growth;
        growth = values / b;
        if (s->how == PEN_NEWTON_PLAIN)
            return growth;
        for (int64_t i = 0; i < s->d; i++)
            s->order[i].value = e->values[s->order[i].number] - growth * s->order[i].b;
        qsort(s->order, (size_t)s->d, sizeof *s->order, by_value);
    }
}

/* Takes steps until one more would be rounding. */
static pen_status climb(pen_run *run, struct newton *s, pen_eig *e, int64_t *steps)
{
    const double a = fabs(pen_sym_trace(s->A)), b = pen_sym_trace(s->B);
    int last = 0;

    for (*steps = 1; *steps <= MOST; ++*steps) {
        const pen_mark_t mark = pen_mark(run);
        double sum = 0;
        PEN_TRY(pen_progress(run, "trace ratio", *steps - 1, MOST));
        PEN_TRY(decompose(run, s, e));
        const double growth = growth_of(s, e);
        if (last || !(growth > DBL_EPSILON * fabs(s->ratio)))
            return PEN_OK;
        for (int64_t i = 0; i < s->k; i++)
            sum += e->values[i];
        last = sum <= ENDED * (a + fabs(s->ratio) * b);
        s->ratio += growth;
        pen_release(run, mark);
    }
    return pen_fail(run, PEN_NOT_CONVERGED,
                    "the trace ratio did not converge after %d steps (ratio %.17g)", MOST,
                    s->ratio);
}

pen_status pen_solve_trace_ratio(pen_run *run, const pen_sym *A, const pen_sym *B, int64_t k,
                                 enum pen_newton how, pen_projection *out, double *ratio)
{
    const int64_t d = A->d;
    struct newton s = { .A = A, .B = B, .d = d, .k = k, .how = how };
    double a = 0, b = 0;
    int64_t steps;
    pen_eig e;

    PEN_TRY(PEN_NEW(run, out->W, pen_times(d, k)));
    PEN_TRY(PEN_NEW(run, out->eigenvalues, k));
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(check_bounded(run, B, k));
    PEN_TRY(PEN_NEW2(run, s.transposed, s.BV, pen_times(d, d)));
    PEN_TRY(PEN_NEW2(run, s.b, s.order, d));
    for (int64_t i = 0; i < k; i++) {
        a += A->a[i * d + i];
        b += B->a[i * d + i];
    }
    s.ratio = a / b;
    PEN_TRY(climb(run, &s, &e, &steps));
    pen_solve_take(&e, k, out);
    pen_release(run, mark);
    if (ratio)
        *ratio = s.ratio;
    pen_note(run, "ratio", s.ratio);
    pen_note(run, "iterations", (double)steps);
    return PEN_OK;
}
