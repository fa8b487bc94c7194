/* ratio.c - turns eigenvectors into columns, orthogonal ones on request, and sets their lengths. */
#include "solve/ratio.h"

#include "linalg/blas.h"
#include "linalg/orthonormal.h"
#include "solve/direct.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Rounding errors in eigenvalues of an indefinite matrix are a few epsilon times the largest. */
static const double ZERO_FACTOR = 16 * DBL_EPSILON;

const char *const pen_column_scaling_names[] = { "largest", "weighted", "plain", "orthonormal",
                                                 NULL };

pen_status pen_solve_enough(pen_run *run, int64_t there, const pen_request *request)
{
    PEN_REQUIRE(run, there > 0, PEN_RANK_TOO_SMALL,
                "nothing to project on: the numerator scatter is zero");
    PEN_REQUIRE(
        run, request->allow_fewer || request->wanted <= there, PEN_RANK_TOO_SMALL,
        "dim must be at most %lld, the number of dimensions of this method on these rows, got %lld",
        (long long)there, (long long)request->wanted);
    return PEN_OK;
}

pen_status pen_solve_count(pen_run *run, int64_t usual, int64_t there, const pen_request *request,
                           int64_t *k)
{
    PEN_TRY(pen_solve_enough(run, there, request));
    *k = pen_min(request->wanted ? request->wanted : pen_max(usual, 1), there);
    return PEN_OK;
}

/* The factor of column c, which has unit length in its problem. */
static double length_of(const pen_eig *e, int64_t c, enum pen_columns scaling)
{
    double largest = 0;

    if (scaling == PEN_COLUMNS_PLAIN || scaling == PEN_COLUMNS_ORTHONORMAL)
        return 1;
    if (scaling == PEN_COLUMNS_WEIGHTED)
        return sqrt(e->values[c]);
    for (int64_t j = 0; j < e->d; j++)
        largest = fmax(largest, fabs(e->vectors[c * e->d + j]));
    return sqrt(e->values[c]) / largest;
}

static pen_status columns(pen_run *run, const pen_eig *e, enum pen_columns scaling,
                          pen_projection *out)
{
    double *work;

    out->d = e->d;
    out->k = e->rank;
    out->residual = e->residual;
    PEN_TRY(PEN_NEW(run, out->W, pen_times(out->d, out->k)));
    PEN_TRY(PEN_NEW(run, out->eigenvalues, out->k));
    memcpy(out->eigenvalues, e->values, (size_t)out->k * sizeof *out->eigenvalues);
    const pen_mark_t mark = pen_mark(run);
    if (scaling == PEN_COLUMNS_ORTHONORMAL) {
        PEN_TRY(PEN_NEW(run, work, pen_times(33, out->k)));
        PEN_REQUIRE(run, pen_lapack_orthonormalize(e->d, out->k, e->vectors, work) == 0,
                    PEN_INTERNAL, "the columns could not be orthonormalized");
    }
    for (int64_t c = 0; c < out->k; c++) {
        const double length = length_of(e, c, scaling);
        for (int64_t j = 0; j < out->d; j++)
            out->W[j * out->k + c] = length * e->vectors[c * out->d + j];
    }
    pen_release(run, mark);
    return PEN_OK;
}

pen_status pen_solve_ratio(pen_run *run, const pen_sym *B, pen_sym *C, const pen_ridge *ridge,
                           enum pen_columns scaling, const pen_request *request,
                           pen_projection *out)
{
    pen_regular p;
    pen_eig e;
    double added;

    if (B->terms) {
        PEN_TRY(pen_solve_ratio_directly(run, B, C, ridge, request, &e, &added));
        out->ridge += added;
        PEN_TRY(pen_solve_enough(run, e.rank, request));
        return columns(run, &e, scaling, out);
    }
    PEN_TRY(pen_regular_open(run, B, C, ridge, request, &p, out));
    const int64_t most = pen_max(1, p.A->rank),
                  k = request->wanted ? pen_min(request->wanted, most) : most;
    PEN_TRY(pen_regular_explain(run, pen_eig_largest(run, p.A, p.B, k, &e), &p));
    if (e.rank < k && out->ridge > 0) /* the ridge is the same in all columns */
        pen_note_cut(run, e.rank, pen_eig_tolerance(p.A));
    PEN_TRY(pen_solve_enough(run, e.rank, request));
    return columns(run, &e, scaling, out);
}

/* Replaces the vectors [of r coordinates] with value 0 by vectors of the same span with descending
 * v' diag(variance) v. */
static pen_status order_zeros(pen_run *run, const double *variance, pen_eig *e)
{
    const int64_t r = e->d;
    const double zero =
        ZERO_FACTOR * (double)pen_max(r, 16) * fmax(fabs(e->values[0]), fabs(e->values[r - 1]));
    int64_t first = 0, z = 0;
    double *turned;
    pen_sym G;
    pen_eig g;

    while (first < r && e->values[first] > zero)
        first++;
    while (first + z < r && e->values[first + z] >= -zero)
        z++;
    if (z < 2)
        return PEN_OK;
    for (int64_t i = first; i < first + z; i++)
        e->values[i] = 0;
    const pen_mark_t mark = pen_mark(run);
    double *const vectors = e->vectors + first * r;
    PEN_TRY(pen_sym_zero(run, z, &G));
    PEN_TRY(PEN_NEW(run, turned, pen_times(z, r)));
    for (int64_t i = 0; i < z; i++)
        for (int64_t j = 0; j < r; j++)
            turned[i * r + j] = vectors[i * r + j] * sqrt(variance[j]);
    pen_blas_gemm(PEN_F64, PEN_PLAIN, PEN_TRANSPOSED, z, z, r, 1, turned, r, turned, r, 0, G.a, z);
    PEN_TRY(pen_eig_indefinite(run, &G, NULL, &g));
    pen_blas_gemm(PEN_F64, PEN_PLAIN, PEN_PLAIN, z, r, z, 1, g.vectors, z, vectors, r, 0, turned,
                  r);
    memcpy(vectors, turned, (size_t)(z * r) * sizeof *vectors);
    pen_release(run, mark);
    return PEN_OK;
}

pen_status pen_solve_difference(pen_run *run, const pen_sym *A, const pen_sym *S_t,
                                const pen_request *request, pen_projection *out)
{
    pen_eig basis, e;
    pen_sym inner;
    double *vectors;

    if (A->terms)
        return pen_solve_directly(run, A, request, out);
    PEN_TRY(pen_eig_largest(run, S_t, NULL, S_t->d, &basis));
    PEN_TRY(pen_solve_enough(run, basis.rank, request));
    PEN_TRY(pen_sym_project(run, A, basis.vectors, basis.rank, &inner));
    PEN_TRY(pen_eig_indefinite(run, &inner, NULL, &e));
    PEN_TRY(order_zeros(run, basis.values, &e));
    e.rank = request->wanted ? pen_min(request->wanted, basis.rank) : basis.rank;
    PEN_TRY(PEN_NEW(run, vectors, pen_times(e.rank, A->d)));
    pen_blas_gemm(PEN_F64, PEN_PLAIN, PEN_PLAIN, e.rank, A->d, basis.rank, 1, e.vectors, basis.rank,
                  basis.vectors, A->d, 0, vectors, A->d);
    e.vectors = vectors;
    e.d = A->d;
    return columns(run, &e, PEN_COLUMNS_PLAIN, out);
}

pen_status pen_solve_smallest(pen_run *run, const pen_sym *A, pen_sym *B, const pen_ridge *ridge,
                              enum pen_columns scaling, const pen_request *request,
                              pen_projection *out)
{
    pen_regular p;
    pen_eig e;

    PEN_TRY(pen_solve_enough(run, A->d, request));
    PEN_TRY(pen_regular_open(run, A, B, ridge, request, &p, out));
    const int64_t d = p.A->d;
    PEN_TRY(pen_solve_enough(run, d, request));
    PEN_TRY(pen_regular_explain(run, pen_eig_indefinite(run, p.A, p.B, &e), &p));
    pen_eig_reverse(&e);
    e.rank = request->wanted ? pen_min(request->wanted, d) : d;
    return columns(run, &e, scaling, out);
}

pen_status pen_solve_gram_schmidt(pen_run *run, int64_t d, const pen_directions *first,
                                  const pen_directions *then, const pen_request *request,
                                  pen_projection *out)
{
    const int64_t most = pen_min(request->wanted ? request->wanted : d, d);
    double *basis;
    int64_t k = 0;

    PEN_TRY(PEN_NEW(run, basis, pen_times(most, d)));
    PEN_TRY(pen_orthonormal_append(run, first->count, d, first->rows, most, basis, &k));
    PEN_TRY(pen_orthonormal_append(run, then->count, d, then->rows, most, basis, &k));
    PEN_REQUIRE(run, k > 0, PEN_RANK_TOO_SMALL, "nothing to project on: all directions are zero");
    PEN_TRY(pen_solve_enough(run, k, request));
    out->d = d;
    out->k = k;
    PEN_TRY(PEN_NEW(run, out->W, pen_times(d, k)));
    pen_transpose(k, d, basis, out->W);
    return PEN_OK;
}

void pen_solve_divide_column(pen_projection *out, int64_t c, double by)
{
    for (int64_t j = 0; j < out->d; j++)
        out->W[j * out->k + c] /= by;
}

void pen_solve_unit_columns(pen_projection *out)
{
    for (int64_t c = 0; c < out->k; c++) {
        double sum = 0;
        for (int64_t j = 0; j < out->d; j++)
            sum += out->W[j * out->k + c] * out->W[j * out->k + c];
        pen_solve_divide_column(out, c, sqrt(sum));
    }
}
