/* orthogonal_scores.c - scores with a projection of orthonormal columns: a problem on the Stiefel
 * manifold, solved for one block of columns after another. */
#include "solve/scores.h"

#include "linalg/blas.h"
#include "linalg/products.h"
#include "solve/stiefel.h"

#include <math.h>
#include <string.h>

enum { COLUMNS = 32 /* right-hand sides at once */ };

struct orthogonal {
    pen_score_system system;
    const pen_span *span;
    int64_t c;
    double *Z;       /* [n x classes] K^-1 U Y */
    pen_sym Q;       /* [rank x rank] */
    double *C;       /* [rank x classes] */
    double constant; /* of the criterion */
    double *W;       /* [rank x blocks classes] */
    int64_t blocks;
};

/* tr(Y'U(Y - F)), the value of the criterion at F = K^-1 U Y. */
static double missed(const pen_view *x, const pen_label_weights *weights, const double *F)
{
    double sum = 0;

    for (int64_t k = 0; k < x->classes; k++)
        for (int64_t i = x->starts[k]; i < x->starts[k + 1]; i++)
            sum += 1 - F[x->members[i] * x->classes + k];
    return weights->labelled * sum;
}

/* Columns first .. first + k - 1 of the basis. */
static void take_basis(const pen_span *span, int64_t first, int64_t k, double *V)
{
    for (int64_t j = 0; j < span->d; j++)
        for (int64_t c = 0; c < k; c++)
            V[j * k + c] = span->basis[(first + c) * span->d + j];
}

/* Columns of mu X'K^-1 (U + L) X, a few at a time, into full [rank x rank]. */
static pen_status form_columns(pen_run *run, struct orthogonal *o, double *full)
{
    pen_score_system *const s = &o->system;
    const int64_t n = s->x->n, d = s->x->d, r = o->span->rank, most = pen_min(COLUMNS, r);
    double *V, *rows, *rhs;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, V, pen_times(d, most)));
    PEN_TRY(PEN_NEW2(run, rows, rhs, pen_times(n, most)));
    for (int64_t first = 0; first < r; first += most) {
        const int64_t k = pen_min(most, r - first);
        PEN_TRY(pen_progress(run, "columns", first, r));
        take_basis(o->span, first, k, V);
        PEN_TRY(pen_rows_multiply(run, s->x, k, V, rows));
        PEN_TRY(pen_csr_apply(run, &s->A, k, rows, rhs));
        PEN_TRY(pen_score_system_solve(run, s, k, rhs, rows));
        PEN_TRY(pen_score_gather(run, s->x, k, rows, V));
        pen_blas_gemm(PEN_F64, PEN_PLAIN, PEN_PLAIN, r, k, d, s->weight, o->span->basis, d, V, k, 0,
                      full + first, r);
    }
    pen_release(run, mark);
    return pen_progress(run, "columns", r, r);
}

static pen_status form_problem(pen_run *run, struct orthogonal *o)
{
    pen_score_system *const s = &o->system;
    const int64_t d = s->x->d, r = o->span->rank, c = o->c;
    double *UY, *full, *sums;

    PEN_TRY(PEN_NEW(run, o->Z, pen_times(s->x->n, c)));
    PEN_TRY(PEN_NEW(run, o->C, pen_times(r, c)));
    PEN_TRY(pen_sym_zero(run, r, &o->Q));
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(pen_score_targets(run, s, &UY));
    PEN_TRY(pen_score_system_solve(run, s, c, UY, o->Z));
    PEN_TRY(PEN_NEW(run, sums, pen_times(d, c)));
    memcpy(UY, o->Z, (size_t)(s->x->n * c) * sizeof *UY);
    PEN_TRY(pen_score_gather(run, s->x, c, UY, sums));
    pen_blas_gemm(PEN_F64, PEN_PLAIN, PEN_PLAIN, r, c, d, s->weight, o->span->basis, d, sums, c, 0,
                  o->C, c);
    PEN_TRY(PEN_NEW(run, full, pen_times(r, r)));
    PEN_TRY(form_columns(run, o, full));
    pen_note(run, "cg_iterations", (double)s->iterations);
    for (int64_t i = 0; i < r; i++)
        for (int64_t j = 0; j <= i; j++)
            o->Q.a[i * r + j] = (full[i * r + j] + full[j * r + i]) / 2;
    pen_sym_note(&o->Q, r, o->Q.epsilon);
    o->constant = missed(s->x, s->weights, o->Z);
    pen_release(run, mark);
    return PEN_OK;
}

/* An orthonormal basis, in rows, of the complement of the first `found` columns of W. */
static pen_status complement(pen_run *run, const struct orthogonal *o, int64_t found,
                             const double **out)
{
    const int64_t r = o->span->rank, width = pen_times(o->blocks, o->c);
    double *column;
    pen_sym P;
    pen_eig e;

    PEN_TRY(pen_sym_zero(run, r, &P));
    PEN_TRY(PEN_NEW(run, column, r));
    pen_sym_add_identity(1, &P);
    for (int64_t k = 0; k < found; k++) {
        for (int64_t j = 0; j < r; j++)
            column[j] = o->W[j * width + k];
        pen_sym_add_outer(-1, column, &P);
    }
    PEN_TRY(pen_eig_indefinite(run, &P, NULL, &e));
    *out = e.vectors;
    return PEN_OK;
}

static pen_status find_block(pen_run *run, const pen_alternation *rules, struct orthogonal *o,
                             int64_t found)
{
    const int64_t r = o->span->rank, c = o->c, there = r - found, width = pen_times(o->blocks, c);
    const double *basis;
    double *C, *W;
    pen_sym Q;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(complement(run, o, found, &basis));
    PEN_TRY(pen_sym_project(run, &o->Q, basis, there, &Q));
    PEN_TRY(PEN_NEW2(run, C, W, pen_times(there, c)));
    pen_blas_gemm(PEN_F64, PEN_PLAIN, PEN_PLAIN, there, c, r, 1, basis, r, o->C, c, 0, C, c);
    const pen_stiefel problem = { &Q, C, c, o->constant, found > 0 };
    PEN_TRY(pen_stiefel_descend(run, &problem, rules, W));
    pen_blas_gemm(PEN_F64, PEN_TRANSPOSED, PEN_PLAIN, r, c, there, 1, basis, r, W, c, 0,
                  o->W + found, width);
    pen_release(run, mark);
    return PEN_OK;
}

/* In each block, picks one of the two solutions with the same objective: that whose farthest sum of
 * scores is below the mean. */
static pen_status choose_sides(pen_run *run, struct orthogonal *o)
{
    const int64_t n = o->system.x->n, d = o->span->d, r = o->span->rank, c = o->c,
                  blocks = o->blocks;
    double *sums, *V, *z;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, sums, pen_times(r, blocks)));
    PEN_TRY(PEN_NEW(run, V, pen_times(d, blocks)));
    PEN_TRY(PEN_NEW(run, z, pen_times(n, blocks)));
    for (int64_t i = 0; i < r * blocks; i++) {
        sums[i] = 0;
        for (int64_t k = 0; k < c; k++)
            sums[i] += o->W[i * c + k];
    }
    pen_blas_gemm(PEN_F64, PEN_TRANSPOSED, PEN_PLAIN, d, blocks, r, 1, o->span->basis, d, sums,
                  blocks, 0, V, blocks);
    PEN_TRY(pen_rows_multiply(run, o->system.x, blocks, V, z));
    for (int64_t b = 0; b < blocks; b++) {
        double farthest = 0;
        for (int64_t i = 0; i < n; i++)
            farthest = fabs(z[i * blocks + b]) > fabs(farthest) ? z[i * blocks + b] : farthest;
        for (int64_t j = 0; farthest > 0 && j < r; j++)
            for (int64_t k = 0; k < c; k++)
                o->W[(j * blocks + b) * c + k] -= 2 / (double)c * sums[j * blocks + b];
    }
    pen_release(run, mark);
    return PEN_OK;
}

/* F = K^-1 (U Y + mu X W) of the first block, and the projection. */
static pen_status finish(pen_run *run, struct orthogonal *o, int64_t columns, pen_projection *out)
{
    pen_score_system *const s = &o->system;
    const int64_t n = s->x->n, d = s->x->d, r = o->span->rank, c = o->c,
                  width = pen_times(o->blocks, c);
    double *F, *V, *rhs;

    out->d = d;
    out->k = columns;
    PEN_TRY(PEN_NEW(run, out->W, pen_times(d, columns)));
    pen_blas_gemm(PEN_F64, PEN_TRANSPOSED, PEN_PLAIN, d, columns, r, 1, o->span->basis, d, o->W,
                  width, 0, out->W, columns);
    PEN_TRY(PEN_NEW(run, F, pen_times(n, c)));
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, V, pen_times(d, c)));
    PEN_TRY(PEN_NEW(run, rhs, pen_times(n, c)));
    for (int64_t j = 0; j < d; j++)
        for (int64_t k = 0; k < c; k++)
            V[j * c + k] = s->weight * out->W[j * columns + k];
    PEN_TRY(pen_rows_multiply(run, s->x, c, V, rhs));
    PEN_TRY(pen_score_system_solve(run, s, c, rhs, F));
    pen_note(run, "cg_iterations", (double)s->iterations);
    for (int64_t i = 0; i < n * c; i++)
        F[i] += o->Z[i];
    pen_release(run, mark);
    out->propagated = F;
    return pen_score_means(run, n, c, F, &out->bias);
}

pen_status pen_scores_count(pen_run *run, const pen_view *x, const pen_span *span,
                            const pen_request *request, int64_t *columns)
{
    const int64_t c = x->classes;

    PEN_REQUIRE(run, span->rank >= c, PEN_RANK_TOO_SMALL,
                "the rows differ in %lld directions, fewer than the %lld classes",
                (long long)span->rank, (long long)c);
    PEN_TRY(pen_solve_count(run, c, span->rank / c * c, request, columns));
    PEN_REQUIRE(run, *columns >= c, PEN_BAD_ARGUMENT,
                "dim must be at least %lld, the number of classes, got %lld", (long long)c,
                (long long)*columns);
    return PEN_OK;
}

pen_status pen_scores_orthogonal(pen_run *run, const pen_view *x, const pen_graph *graph,
                                 const pen_label_weights *weights, double mu, const pen_span *span,
                                 int64_t columns, const pen_alternation *rules, pen_projection *out)
{
    const int64_t c = x->classes;
    struct orthogonal o = { .span = span, .c = c, .blocks = (columns + c - 1) / c };

    PEN_TRY(pen_score_system_open(run, x, graph, weights, mu, &o.system));
    PEN_TRY(form_problem(run, &o));
    PEN_TRY(PEN_NEW(run, o.W, pen_times(pen_times(span->rank, o.blocks), c)));
    for (int64_t b = 0; b < o.blocks; b++)
        PEN_TRY(find_block(run, rules, &o, b * c));
    if (pen_stiefel_balanced(span->rank, c, o.C))
        PEN_TRY(choose_sides(run, &o));
    return finish(run, &o, columns, out);
}
