/* stiefel.c - steps to the nearest orthonormal columns. W is stored as k rows, for LAPACK. */
#include "solve/stiefel.h"

#include "linalg/blas.h"
#include "linalg/eig.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Sums of rows this small, relative to the rows, are rounding. */
static const double BALANCED = 1e-9;

struct descent {
    int64_t d, k;
    const double *Q; /* [d x d], lower triangle */
    const double *C; /* [k x d] */
    double shift, constant;
    double *W;    /* [k x d] */
    double *QW;   /* [k x d] Q times the rows of W */
    double *work; /* of pen_lapack_polar */
};

int pen_stiefel_balanced(int64_t d, int64_t k, const double *C)
{
    double sums = 0;

    for (int64_t j = 0; j < d; j++) {
        double sum = 0;
        for (int64_t c = 0; c < k; c++)
            sum += C[j * k + c];
        sums += sum * sum;
    }
    return sqrt(sums) <= BALANCED * sqrt(pen_dot(d * k, C, C));
}

/* Computes QW and the objective. */
static pen_status judge(pen_run *run, struct descent *s, double *objective)
{
    const int64_t d = s->d, k = s->k;
    double *columns, *product;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW2(run, columns, product, pen_times(d, k)));
    pen_transpose(k, d, s->W, columns);
    pen_blas_symm(d, k, s->Q, columns, product);
    pen_transpose(d, k, product, s->QW);
    pen_release(run, mark);
    *objective = s->constant + (pen_dot(d * k, s->W, s->QW) - 2 * pen_dot(d * k, s->W, s->C));
    return PEN_OK;
}

static pen_status polar(pen_run *run, struct descent *s)
{
    PEN_REQUIRE(run, pen_lapack_polar(s->d, s->k, s->W, s->work) == 0, PEN_NOT_CONVERGED,
                "the columns could not be made orthonormal (%lld of %lld)", (long long)s->k,
                (long long)s->d);
    return PEN_OK;
}

static pen_status step(pen_run *run, void *context, double *objective)
{
    struct descent *const s = context;

    for (int64_t i = 0; i < s->d * s->k; i++)
        s->W[i] = s->shift * s->W[i] - s->QW[i] + s->C[i];
    PEN_TRY(polar(run, s));
    return judge(run, s, objective);
}

/* Subtracts from e its part in the span of the rows of C. The span has dimension at most `most`;
 * further directions are rounding. */
static pen_status leave_span(pen_run *run, const struct descent *s, int64_t most, double *e)
{
    const int64_t d = s->d, k = s->k;
    double *basis, *values, *u, *work, *along;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, basis, pen_times(k, d)));
    PEN_TRY(PEN_NEW(run, values, k));
    PEN_TRY(PEN_NEW(run, u, pen_times(k, k)));
    PEN_TRY(PEN_NEW(run, along, d));
    PEN_TRY(PEN_NEW(run, work, pen_lapack_thin_svd_size(k)));
    memcpy(basis, s->C, (size_t)(k * d) * sizeof *basis);
    PEN_REQUIRE(run, pen_lapack_thin_svd(d, k, basis, values, u, work) == 0, PEN_NOT_CONVERGED,
                "no singular values of the targets");
    for (int64_t c = 0; c < most; c++) {
        if (!(values[c] > 16 * (double)d * DBL_EPSILON * values[0]))
            break;
        pen_blas_gemm(PEN_F64, PEN_PLAIN, PEN_PLAIN, 1, d, k, 1, u + c * k, k, basis, d, 0, along,
                      d);
        const double part = pen_dot(d, along, e);
        for (int64_t j = 0; j < d; j++)
            e[j] -= part * along[j];
    }
    pen_release(run, mark);
    return PEN_OK;
}

/* The polar factor of C, or of C + size e 1', whose singular vectors are those of C, e and 1. */
static pen_status start(pen_run *run, struct descent *s, int balanced, const double *smallest)
{
    const int64_t d = s->d, k = s->k;
    const double size = sqrt(pen_dot(d * k, s->C, s->C));
    double *e;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, e, d));
    memcpy(e, smallest, (size_t)d * sizeof *e);
    PEN_TRY(leave_span(run, s, balanced ? k - 1 : k, e));
    for (int64_t c = 0; c < k; c++)
        for (int64_t j = 0; j < d; j++)
            s->W[c * d + j] = s->C[c * d + j] + (balanced ? (size > 0 ? size : 1) * e[j] : 0);
    pen_release(run, mark);
    return polar(run, s);
}

pen_status pen_stiefel_descend(pen_run *run, const pen_stiefel *problem,
                               const pen_alternation *rules, double *W)
{
    const int64_t d = problem->Q->d, k = problem->k;
    struct descent s = { .d = d, .k = k, .Q = problem->Q->a, .constant = problem->constant };
    pen_descent descent;
    double *C, first;
    pen_eig e;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW3(run, C, s.W, s.QW, pen_times(d, k)));
    PEN_TRY(PEN_NEW(run, s.work, pen_lapack_polar_size(k)));
    pen_transpose(d, k, problem->C, C);
    s.C = C;
    PEN_TRY(pen_eig_indefinite(run, problem->Q, NULL, &e));
    s.shift = e.values[0];
    PEN_TRY(start(run, &s, pen_stiefel_balanced(d, k, problem->C), e.vectors + (d - 1) * d));
    PEN_TRY(judge(run, &s, &first));
    PEN_TRY(pen_descend(run, rules, step, NULL, &s, &descent));
    if (!problem->quiet)
        PEN_TRY(pen_descent_note(run, &descent));
    pen_transpose(k, d, s.W, W);
    pen_release(run, mark);
    return PEN_OK;
}
