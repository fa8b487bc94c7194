/* flexible_system.c - applies the inverse of M = alpha L + I + D_l to the rows and the classes, a
 * block of columns at a time, and keeps only products. */
#include "solve/flexible_system.h"

#include "linalg/blas.h"
#include "linalg/cg.h"
#include "linalg/products.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    LEAST_COLUMNS = 8,
    MOST_COLUMNS = 64,
    BLOCK_BYTES = 40 << 20,
    NUMBERS = 5 /* numbers per row and column */,
    MOST_ITERATIONS = 1000000
};

static const double TOLERANCE = 1e-15;

struct flexible {
    const pen_view *x;
    const pen_span *span;
    pen_csr_sym M;
    int64_t most;          /* columns of a block */
    double *V;             /* [d x most] columns of the basis */
    double *rhs, *y;       /* [n x most] */
    double *sums, *inside; /* [d x most], [rank x most] */
    double *R;             /* [rank x rank] */
    double *Z;             /* [classes x rank] */
    double *H;             /* [classes x classes] */
    int64_t iterations;    /* of conjugate gradients, the maximum over columns */
};

/* alpha L + I + D_l. */
static pen_status build(pen_run *run, double alpha, const pen_graph *graph, struct flexible *s)
{
    const int64_t n = s->x->n;
    int64_t *first;
    double *diagonal;

    PEN_TRY(PEN_NEW(run, diagonal, n));
    PEN_TRY(PEN_FILLED(run, first, n + 1, 0));
    s->M = (pen_csr_sym){ .n = n, .first = first, .diagonal = NULL };
    if (graph)
        PEN_TRY(pen_graph_csr(run, graph, alpha, &s->M));
    for (int64_t i = 0; i < n; i++)
        diagonal[i] = 1 + (graph ? s->M.diagonal[i] : 0);
    for (int64_t i = 0; i < s->x->labelled; i++)
        diagonal[s->x->members[i]] += 1;
    s->M.diagonal = diagonal;
    return PEN_OK;
}

/* y = M^-1 rhs, k columns. Starts from rhs over the diagonal, the solution without a graph. */
static pen_status solve(pen_run *run, struct flexible *s, int64_t k)
{
    const pen_cg how = { .phase = "graph system",
                         .n = s->x->n,
                         .apply = pen_csr_apply,
                         .context = &s->M,
                         .diagonal = s->M.diagonal,
                         .tol = TOLERANCE,
                         .most = MOST_ITERATIONS,
                         .iterations = &s->iterations };

    for (int64_t i = 0; i < s->x->n; i++)
        for (int64_t j = 0; j < k; j++)
            s->y[i * k + j] = s->rhs[i * k + j] / s->M.diagonal[i];
    return pen_cg_solve(run, &how, k, s->rhs, s->y);
}

/* inside [rank x k] = X'v in the coordinates of the span. */
static pen_status gather(pen_run *run, struct flexible *s, int64_t k, const double *v)
{
    const int64_t d = s->x->d, r = s->span->rank;

    PEN_TRY(pen_rows_gather(run, s->x, k, v, s->sums));
    pen_blas_gemm(PEN_F64, PEN_PLAIN, PEN_PLAIN, r, k, d, 1, s->span->basis, d, s->sums, k, 0,
                  s->inside, k);
    return PEN_OK;
}

/* Columns first .. first + k - 1 of X'(X - M^-1 X). */
static pen_status add_columns(pen_run *run, struct flexible *s, int64_t first, int64_t k)
{
    const int64_t d = s->x->d, r = s->span->rank;

    for (int64_t i = 0; i < d; i++)
        for (int64_t j = 0; j < k; j++)
            s->V[i * k + j] = s->span->basis[(first + j) * d + i];
    PEN_TRY(pen_rows_multiply(run, s->x, k, s->V, s->rhs));
    PEN_TRY(solve(run, s, k));
    for (int64_t i = 0; i < s->x->n * k; i++)
        s->rhs[i] -= s->y[i];
    PEN_TRY(gather(run, s, k, s->rhs));
    for (int64_t i = 0; i < r; i++)
        memcpy(s->R + i * r + first, s->inside + i * k, (size_t)k * sizeof *s->R);
    return PEN_OK;
}

/* Columns first .. first + k - 1 of X'M^-1 E and E'M^-1 E. */
static pen_status add_classes(pen_run *run, struct flexible *s, int64_t first, int64_t k)
{
    const pen_view *const x = s->x;
    const int64_t r = s->span->rank, c = x->classes;

    memset(s->rhs, 0, (size_t)(x->n * k) * sizeof *s->rhs);
    for (int64_t a = first; a < first + k; a++)
        for (int64_t i = x->starts[a]; i < x->starts[a + 1]; i++)
            s->rhs[x->members[i] * k + a - first] = 1 / sqrt((double)pen_class_size(x, a));
    PEN_TRY(solve(run, s, k));
    PEN_TRY(gather(run, s, k, s->y));
    for (int64_t i = 0; i < r; i++)
        for (int64_t j = 0; j < k; j++)
            s->Z[(first + j) * r + i] = s->inside[i * k + j];
    for (int64_t a = 0; a < c; a++)
        for (int64_t j = 0; j < k; j++) {
            double sum = 0;
            for (int64_t i = x->starts[a]; i < x->starts[a + 1]; i++)
                sum += s->y[x->members[i] * k + j];
            s->H[a * c + first + j] = sum / sqrt((double)pen_class_size(x, a));
        }
    return PEN_OK;
}

static pen_status open_blocks(pen_run *run, struct flexible *s)
{
    const int64_t n = s->x->n, d = s->x->d, r = s->span->rank;

    s->most = pen_min(MOST_COLUMNS, pen_max(LEAST_COLUMNS, BLOCK_BYTES / (NUMBERS * 8 * n)));
    PEN_TRY(PEN_NEW(run, s->V, pen_times(d, s->most)));
    PEN_TRY(PEN_NEW2(run, s->rhs, s->y, pen_times(n, s->most)));
    PEN_TRY(PEN_NEW(run, s->sums, pen_times(d, s->most)));
    return PEN_NEW(run, s->inside, pen_times(r, s->most));
}

/* Replaces both triangles by their mean. */
static void make_symmetric(int64_t n, double *a)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < i; j++)
            a[i * n + j] = (a[i * n + j] + a[j * n + i]) / 2;
}

pen_status pen_scatter_flexible(pen_run *run, double alpha, const pen_view *x,
                                const pen_graph *graph, const pen_span *span, pen_flexible *out)
{
    const int64_t r = span->rank, c = x->classes;
    struct flexible s = { .x = x, .span = span };
    double *share;

    *out = (pen_flexible){ .classes = c, .size = sqrt(span->trace) };
    PEN_TRY(pen_sym_zero(run, r, &out->R));
    PEN_TRY(PEN_NEW(run, s.Z, pen_times(c, r)));
    PEN_TRY(PEN_NEW(run, s.H, pen_times(c, c)));
    PEN_TRY(PEN_NEW(run, share, c));
    const pen_mark_t mark = pen_mark(run);
    s.R = out->R.a;
    PEN_TRY(build(run, alpha, alpha > 0 ? graph : NULL, &s));
    PEN_TRY(open_blocks(run, &s));
    for (int64_t first = 0; first < r; first += s.most)
        PEN_TRY(add_columns(run, &s, first, pen_min(s.most, r - first)));
    for (int64_t first = 0; first < c; first += s.most)
        PEN_TRY(add_classes(run, &s, first, pen_min(s.most, c - first)));
    pen_release(run, mark);
    pen_note(run, "cg_iterations", (double)s.iterations);
    make_symmetric(r, s.R);
    make_symmetric(c, s.H);
    pen_sym_note(&out->R, r, DBL_EPSILON);
    for (int64_t a = 0; a < c; a++)
        share[a] = sqrt((double)pen_class_size(x, a) / (double)x->labelled);
    out->Z = s.Z;
    out->H = s.H;
    out->share = share;
    return PEN_OK;
}
