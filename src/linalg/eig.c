/* eig.c - generalized symmetric eigenproblems: Cholesky factorization, reduction to standard form,
 * LAPACK, back substitution, then checks of rank and residual. */
#include "linalg/eig.h"

#include "linalg/blas.h"
#include "linalg/decompose.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The condition estimate may be too optimistic by a small factor; within this factor of the limit
 * the eigenvalues decide. */
static const double ESTIMATE_SLACK = 100;

/* The rounding error of a computed v'Bv is a few epsilon times the sum of v_i^2 B_ii. */
static const double NOISE_FACTOR = 8;

/* The reason why a denominator is not positive definite by more than rounding. */
enum fault { FAULT_NONE, FAULT_ZERO, FAULT_ZERO_COLUMN, FAULT_SINGULAR, FAULT_ROUNDING };

static pen_status singular(pen_run *run, enum fault fault, double smallest)
{
    PEN_REQUIRE(run, fault != FAULT_ZERO, PEN_SINGULAR_SCATTER, "the denominator scatter is zero");
    PEN_REQUIRE(run, fault != FAULT_ZERO_COLUMN, PEN_SINGULAR_SCATTER,
                "the denominator scatter is zero for a column");
    PEN_REQUIRE(run, fault != FAULT_ROUNDING, PEN_SINGULAR_SCATTER,
                "the denominator scatter is singular: it is within the rounding error of the rows");
    return pen_fail(run, PEN_SINGULAR_SCATTER,
                    "the denominator scatter is singular (smallest eigenvalue %.2g with a unit "
                    "diagonal)",
                    smallest);
}

/* Is C positive definite by more than the rounding error of the rows it was computed from? */
static pen_status is_above_rounding(pen_run *run, const pen_sym *C, int *above)
{
    pen_sym copy;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(pen_sym_copy(run, C, &copy));
    for (int64_t i = 0; i < C->d; i++)
        copy.a[i * C->d + i] -= C->floor[i];
    *above = pen_lapack_cholesky(C->d, copy.a) == 0;
    pen_release(run, mark);
    return PEN_OK;
}

/* Decides by the eigenvalues themselves. */
static pen_status find_smallest(pen_run *run, const pen_sym *scaled, double *smallest,
                                double *reciprocal)
{
    const int64_t d = scaled->d;
    double *values;
    pen_sym copy;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(pen_sym_copy(run, scaled, &copy));
    PEN_TRY(PEN_NEW(run, values, d));
    PEN_TRY(pen_decompose(run, d, d, copy.a, values, NULL));
    *smallest = values[0];
    if (values[0] > (double)d * DBL_EPSILON * values[d - 1])
        *reciprocal = values[0] / values[d - 1];
    pen_release(run, mark);
    return PEN_OK;
}

/* The reciprocal condition number of C, of positive diagonal, scaled to unit diagonal. This removes
 * the units of the columns, which do not affect the solution. 0 unless C is positive definite by
 * more than its own rounding. */
static pen_status find_condition(pen_run *run, const pen_sym *C, double *smallest,
                                 double *reciprocal)
{
    const int64_t d = C->d;
    double *work, condition = 0;
    int *iwork;
    pen_sym scaled, factor;

    PEN_TRY(pen_sym_copy(run, C, &scaled));
    PEN_TRY(PEN_NEW(run, work, pen_times(3, d)));
    pen_sym_unit_scale(C, work);
    pen_sym_rescale(work, &scaled);
    PEN_TRY(pen_sym_copy(run, &scaled, &factor));
    PEN_TRY(PEN_NEW(run, iwork, d));
    if (pen_lapack_cholesky(d, factor.a) == 0)
        condition =
            pen_lapack_reciprocal_condition(d, factor.a, pen_sym_norm1(&scaled), work, iwork);
    *reciprocal = condition > ESTIMATE_SLACK * (double)d * DBL_EPSILON ? condition : 0;
    return *reciprocal > 0 ? PEN_OK : find_smallest(run, &scaled, smallest, reciprocal);
}

/* Is C positive definite by more than rounding: its own, that of the rows, and, unless the identity
 * is part of its definition, that of B? */
static pen_status find_fault(pen_run *run, const pen_sym *B, const pen_sym *C, enum fault *fault,
                             double *smallest, double *reciprocal)
{
    const int64_t d = C->d;
    double largest = 0, least = (double)INFINITY;
    int holds = 1;

    for (int64_t i = 0; i < d; i++) {
        largest = fmax(largest, C->a[i * d + i]);
        least = fmin(least, C->a[i * d + i]);
    }
    *fault = FAULT_NONE;
    if (C->identity == 0 && !(largest > (double)d * DBL_EPSILON * pen_sym_largest(B)))
        *fault = FAULT_ZERO;
    else if (!(least > 0))
        *fault = FAULT_ZERO_COLUMN;
    if (*fault)
        return PEN_OK;
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(find_condition(run, C, smallest, reciprocal));
    if (*reciprocal == 0)
        *fault = FAULT_SINGULAR;
    pen_release(run, mark);
    if (!*fault && C->identity == 0)
        PEN_TRY(is_above_rounding(run, C, &holds));
    if (!holds && !*fault)
        *fault = FAULT_ROUNDING;
    return PEN_OK;
}

/* C NULL: I. */
static pen_status require_definite(pen_run *run, const pen_sym *B, const pen_sym *C)
{
    enum fault fault = FAULT_NONE;
    double smallest = 0, reciprocal = 0;

    if (C)
        PEN_TRY(find_fault(run, B, C, &fault, &smallest, &reciprocal));
    return fault ? singular(run, fault, smallest) : PEN_OK;
}

pen_status pen_eig_condition(pen_run *run, const pen_sym *B, const pen_sym *C, double *reciprocal)
{
    enum fault fault = FAULT_NONE;
    double smallest;

    *reciprocal = 1;
    PEN_TRY(pen_sym_need_stored(run, B));
    if (isfinite(pen_sym_largest(B)) && isfinite(pen_sym_largest(C)))
        PEN_TRY(find_fault(run, B, C, &fault, &smallest, reciprocal));
    if (fault != FAULT_NONE)
        *reciprocal = 0;
    return PEN_OK;
}

/* The sum of v_i^2 A_ii. */
static double diagonal_quadratic(const pen_sym *A, const double *v)
{
    double sum = 0;
    for (int64_t i = 0; i < A->d; i++)
        sum += v[i] * v[i] * A->a[i * A->d + i];
    return sum;
}

double pen_eig_noise(const pen_sym *B, const double *v)
{
    return fmax(NOISE_FACTOR * B->epsilon * diagonal_quadratic(B, v), pen_sym_floor(B, v));
}

double pen_eig_tolerance(const pen_sym *B)
{
    return fmax((double)B->d, NOISE_FACTOR) * fmax(B->epsilon, DBL_EPSILON);
}

/* Sets trailing eigenvalues within rounding noise to 0 and counts the rest. If the problem
 * depends on the units of the columns, the cut is recorded, because they may be the reason. */
static void find_rank(pen_run *run, const pen_sym *B, const pen_sym *C, pen_eig *e)
{
    const double floor_value = (double)e->d * DBL_EPSILON * e->values[0];

    e->rank = 0;
    while (e->rank < e->k && e->rank < B->rank) {
        const double value = e->values[e->rank], *const v = e->vectors + e->rank * e->d;
        if (!(value > floor_value && value > pen_eig_noise(B, v)))
            break;
        e->rank++;
    }
    if (e->rank < pen_min(e->k, B->rank) && (!C || C->identity > 0))
        pen_note_cut(run, e->rank, pen_eig_tolerance(B));
    for (int64_t i = e->rank; i < e->k; i++)
        e->values[i] = 0;
}

/* The Frobenius norm, scaled by the largest entry because squares of large scatters overflow. */
static double frobenius(const pen_sym *A)
{
    const double largest = pen_sym_largest(A);
    double sum = 0;
    for (int64_t i = 0; largest > 0 && i < A->d; i++)
        for (int64_t j = 0; j <= i; j++) {
            const double entry = A->a[i * A->d + j] / largest;
            sum += (i == j ? 1 : 2) * entry * entry;
        }
    return largest * sqrt(sum);
}

/* Computes the residual of the returned eigenpairs. */
static pen_status find_residual(pen_run *run, const pen_sym *B, const pen_sym *C, pen_eig *e)
{
    const int64_t d = e->d, r = e->rank;
    const double size_b = frobenius(B), size_c = C ? frobenius(C) : sqrt((double)d);
    double *v, *bv, *cv = NULL;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW2(run, v, bv, pen_times(d, r)));
    if (C)
        PEN_TRY(PEN_NEW(run, cv, pen_times(d, r)));
    pen_transpose(r, d, e->vectors, v);
    e->residual = 0;
    if (r > 0) {
        pen_blas_symm(d, r, B->a, v, bv);
        if (C)
            pen_blas_symm(d, r, C->a, v, cv);
    }
    for (int64_t i = 0; i < r; i++) {
        const double size =
            (size_b + fabs(e->values[i]) * size_c) * pen_norm(d, e->vectors + i * d);
        double sum = 0;
        for (int64_t j = 0; j < d; j++) {
            const double rest = (bv[j * r + i] - e->values[i] * (C ? cv : v)[j * r + i]) / size;
            sum += rest * rest;
        }
        e->residual = fmax(e->residual, sqrt(sum));
    }
    pen_release(run, mark);
    return PEN_OK;
}

void pen_eig_reverse(pen_eig *eig)
{
    const int64_t d = eig->d, k = eig->k;

    for (int64_t i = 0; i < k / 2; i++) {
        const double value = eig->values[i];
        eig->values[i] = eig->values[k - 1 - i];
        eig->values[k - 1 - i] = value;
        for (int64_t j = 0; j < d; j++) {
            double *const a = eig->vectors + i * d + j,
                          *const b = eig->vectors + (k - 1 - i) * d + j, kept = *a;
            *a = *b;
            *b = kept;
        }
    }
}

/* The k largest eigenvalues, ascending, and vectors w = L'v, C = L L' (L NULL: C = I). */
static pen_status solve_standard(pen_run *run, const pen_sym *B, const double *L, int64_t k,
                                 double *values, double *vectors)
{
    pen_sym M;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(pen_sym_copy(run, B, &M));
    if (L)
        PEN_REQUIRE(run, pen_lapack_reduce(B->d, M.a, L) == 0, PEN_INTERNAL,
                    "the eigenproblem could not be reduced");
    PEN_TRY(pen_decompose(run, B->d, k, M.a, values, vectors));
    pen_release(run, mark);
    return PEN_OK;
}

static pen_status require_range(pen_run *run, const pen_sym *B, const pen_sym *C)
{
    PEN_TRY(pen_sym_need_stored(run, B));
    const double size = pen_sym_largest(B);
    PEN_REQUIRE(run, isfinite(size) && (!C || isfinite(pen_sym_largest(C))), PEN_BAD_DATA,
                "values are too large: their products overflow");
    PEN_REQUIRE(run, size == 0 || size > DBL_MIN / DBL_EPSILON, PEN_BAD_DATA,
                "values are too small: their products underflow");
    return PEN_OK;
}

/* The k largest eigenvalues, descending, and their vectors. The caller determines the rank. */
static pen_status solve(pen_run *run, const pen_sym *B, const pen_sym *C, int64_t k, pen_eig *out)
{
    const int64_t d = B->d;
    pen_sym factor = { 0 };
    double *values;

    *out = (pen_eig){ .d = d, .k = k };
    PEN_TRY(PEN_NEW(run, out->values, k));
    PEN_TRY(PEN_NEW(run, out->vectors, pen_times(k, d)));
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(pen_progress(run, "solving", 0, 1));
    if (C) {
        PEN_TRY(pen_sym_copy(run, C, &factor));
        if (pen_lapack_cholesky(d, factor.a) != 0) /* positive definite by too small a margin */
            return singular(run, FAULT_SINGULAR, 0);
    }
    PEN_TRY(PEN_NEW(run, values, d));
    PEN_TRY(solve_standard(run, B, factor.a, k, values, out->vectors));
    if (C)
        pen_lapack_back_substitute(d, k, factor.a, out->vectors);
    memcpy(out->values, values, (size_t)k * sizeof *values); /* ascending, as LAPACK returns them */
    pen_eig_reverse(out);
    pen_release(run, mark);
    return PEN_OK;
}

static pen_status solve_largest(pen_run *run, const pen_sym *B, const pen_sym *C, int64_t k,
                                pen_eig *out)
{
    PEN_TRY(solve(run, B, C, k, out));
    find_rank(run, B, C, out);
    return pen_progress(run, "solving", 1, 1);
}

pen_status pen_eig_regular(pen_run *run, const pen_sym *B, const pen_sym *C, int64_t k,
                           pen_eig *out)
{
    PEN_TRY(require_range(run, B, C));
    return solve_largest(run, B, C, k, out);
}

pen_status pen_eig_largest(pen_run *run, const pen_sym *B, const pen_sym *C, int64_t k,
                           pen_eig *out)
{
    PEN_TRY(require_range(run, B, C));
    PEN_TRY(require_definite(run, B, C));
    PEN_TRY(solve_largest(run, B, C, k, out));
    return find_residual(run, B, C, out);
}

pen_status pen_eig_indefinite(pen_run *run, const pen_sym *A, const pen_sym *C, pen_eig *out)
{
    PEN_TRY(require_range(run, A, C));
    PEN_TRY(require_definite(run, A, C));
    PEN_TRY(solve(run, A, C, A->d, out));
    out->rank = A->d;
    PEN_TRY(find_residual(run, A, C, out));
    return pen_progress(run, "solving", 1, 1);
}
