/* stretch.c - stretch or compress, then solve. */
#include "solve/stretch.h"

#include "linalg/blas.h"

#include <float.h>
#include <math.h>
#include <string.h>

const pen_word pen_target_words[] = { { "none", PEN_TARGET_NONE },
                                      { "mean", PEN_TARGET_MEAN },
                                      { NULL, 0 } };

/* A sum that exceeds `threshold` of the whole by rounding does not exceed it. */
static const double TIE = 1e-12;

/* Relative to the largest eigenvalue: smaller ones count as 0 when columns of a null space are
 * ordered. */
static const double NULL_SPACE = 1e-10;

/* A fraction this near to 1 is 1. */
static const double ROUNDED_SHARE = 1e-10;

static double rank_tolerance(int64_t d)
{
    return 4 * DBL_EPSILON * (double)pen_max(d, 16);
}

static int64_t rank_of(const double *values, int64_t count, int64_t d)
{
    int64_t rank = 0;
    while (rank < count && values[rank] > rank_tolerance(d) * values[0])
        rank++;
    return rank;
}

/* ---- the directions to stretch, and their target ---- */

struct stretched {
    int64_t rank, i;
    double c;
};

static struct stretched choose(pen_run *run, const pen_eig *e, const pen_stretch_params *params,
                               int64_t wanted, int stretch)
{
    struct stretched l = { .rank = rank_of(e->values, e->rank, e->d) };
    double sum = 0, part = 0;

    if (l.rank < e->rank)
        pen_note_cut(run, l.rank, rank_tolerance(e->d));
    for (int64_t j = 0; j < l.rank; j++)
        sum += e->values[j] / e->values[0];
    while (l.i < l.rank && (part + e->values[l.i] / e->values[0]) / sum <= params->threshold + TIE)
        part += e->values[l.i++] / e->values[0];
    l.i = pen_min(pen_max(l.i, pen_max(wanted, 1)), l.rank);
    part = 0;
    for (int64_t j = 0; j < l.i; j++)
        part += e->values[j] / (double)l.i;
    if (l.i > 0)
        l.c = params->target > 0                  ? params->target
              : params->target == PEN_TARGET_MEAN ? part
                                                  : e->values[stretch ? 0 : l.i - 1];
    pen_note(run, "rank", (double)l.rank);
    pen_note(run, "levelled", (double)l.i);
    if (l.i > 0)
        pen_note(run, "spread", e->values[0] / e->values[l.i - 1]);
    return l;
}

/* V [rows x d]: vectors, the first i of them stretched. */
static void stretch_rows(const pen_eig *e, const struct stretched *l, double *V)
{
    for (int64_t j = 0; j < l->i; j++) {
        const double factor = sqrt(l->c / e->values[j]);
        for (int64_t a = 0; a < e->d; a++)
            V[j * e->d + a] = factor * V[j * e->d + a];
    }
}

/* ---- columns ---- */

/* U V [k x d]: vectors u are in the coordinates of the rows of V. */
static pen_status make_columns(pen_run *run, const double *U, int64_t k, const double *V,
                               int64_t inner, int64_t d, double **columns)
{
    PEN_TRY(PEN_NEW(run, *columns, pen_times(k, d)));
    pen_blas_gemm(PEN_F64, PEN_PLAIN, PEN_PLAIN, k, d, inner, 1, U, inner, V, d, 0, *columns, d);
    return PEN_OK;
}

static pen_status take_columns(pen_run *run, const double *columns, int64_t d, const double *values,
                               int64_t there, const pen_request *request, pen_projection *out)
{
    PEN_TRY(pen_solve_enough(run, there, request));
    out->d = d;
    out->k = request->wanted ? pen_min(request->wanted, there) : there;
    PEN_TRY(PEN_NEW(run, out->W, pen_times(d, out->k)));
    PEN_TRY(PEN_NEW(run, out->eigenvalues, out->k));
    memcpy(out->eigenvalues, values, (size_t)out->k * sizeof *values);
    pen_transpose(out->k, d, columns, out->W);
    return PEN_OK;
}

/* ---- stretch ---- */

/* Transforms columns [k x d] to the coordinates of the rows. */
static void scale_columns(double *columns, int64_t k, int64_t d, const double *scale)
{
    for (int64_t c = 0; scale && c < k; c++)
        for (int64_t j = 0; j < d; j++)
            columns[c * d + j] *= scale[j];
}

/* Replaces the columns with value 0, of ascending values [k], by columns of the same span with
 * ascending lengths. */
static pen_status order_null_space(pen_run *run, int64_t k, int64_t d, double *values,
                                   double *columns)
{
    int64_t z = 0;
    pen_sym G;
    pen_eig e;
    double *turned;

    while (z < k && values[z] <= NULL_SPACE * values[k - 1])
        values[z++] = 0;
    if (z < 2)
        return PEN_OK;
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(pen_sym_zero(run, z, &G));
    PEN_TRY(PEN_NEW(run, turned, pen_times(z, d)));
    pen_blas_gemm(PEN_F64, PEN_PLAIN, PEN_TRANSPOSED, z, z, d, 1, columns, d, columns, d, 0, G.a,
                  z);
    PEN_TRY(pen_eig_indefinite(run, &G, NULL, &e));
    pen_eig_reverse(&e);
    pen_blas_gemm(PEN_F64, PEN_PLAIN, PEN_PLAIN, z, d, z, 1, e.vectors, z, columns, d, 0, turned,
                  d);
    memcpy(columns, turned, (size_t)(z * d) * sizeof *columns);
    pen_release(run, mark);
    return PEN_OK;
}

/* Scales the rows to a unit diagonal of B, and scales W to match; scale [d] of the columns. If B is
 * regular and all of it is stretched, the units of the columns do not change the result, and should
 * not decide which values are rounding. If B is singular, scales nothing, and scale is 1. */
static pen_status scale_rows(pen_run *run, pen_sym *B, pen_sym *W, double *scale)
{
    pen_sym scaled;
    pen_eig e;

    PEN_TRY(pen_sym_copy(run, B, &scaled));
    pen_sym_unit_scale(B, scale);
    pen_sym_rescale(scale, &scaled);
    PEN_TRY(pen_eig_largest(run, &scaled, NULL, B->d, &e));
    for (int64_t j = 0; e.rank < B->d && j < B->d; j++)
        scale[j] = 1;
    pen_sym_rescale(scale, B);
    pen_sym_rescale(scale, W);
    return PEN_OK;
}

pen_status pen_solve_stretch(pen_run *run, const pen_factored *B, const pen_factored *W,
                             const pen_stretch_params *params, const pen_stretch *which,
                             const pen_request *request, pen_projection *out)
{
    static const pen_stretch all = { .below = (double)INFINITY, .most = INT64_MAX };
    const pen_stretch *const limits = which ? which : &all;
    pen_eig e, u;
    pen_sym S;
    double *columns;
    int64_t there = 0;

    PEN_TRY(pen_factored_eig(run, B, &e));
    const struct stretched l = choose(run, &e, params, request->wanted, 1);
    if (l.i == 0)
        return pen_solve_enough(run, 0, request);
    stretch_rows(&e, &l, e.vectors);
    PEN_TRY(pen_factored_project(run, W, e.vectors, l.i, &S));
    PEN_TRY(pen_eig_largest(run, &S, NULL, l.i, &u));
    pen_eig_reverse(&u);
    PEN_TRY(make_columns(run, u.vectors, l.i, e.vectors, l.i, e.d, &columns));
    scale_columns(columns, l.i, e.d, limits->scale);
    PEN_TRY(order_null_space(run, l.i, e.d, u.values, columns));
    while (there < pen_min(l.i, limits->most) && u.values[there] < limits->below)
        there++;
    out->residual = u.residual;
    return take_columns(run, columns, e.d, u.values, there, request, out);
}

pen_status pen_solve_shares(pen_run *run, pen_sym *B, pen_sym *W, int64_t most,
                            const pen_request *request, pen_projection *out)
{
    static const pen_stretch_params all = { .threshold = 1, .target = 1 };
    double *scale;

    PEN_TRY(PEN_NEW(run, scale, B->d));
    PEN_TRY(scale_rows(run, B, W, scale));
    const pen_factored in_B = { .d = B->d, .matrix = *B }, in_W = { .d = W->d, .matrix = *W };
    const pen_stretch which = { .below = 1 - ROUNDED_SHARE, .most = most, .scale = scale };
    return pen_solve_stretch(run, &in_B, &in_W, &all, &which, request, out);
}

/* ---- compress ---- */

/* The eigenvectors of W as rows, followed by a basis of the rest of the span of B. */
static pen_status basis_of(pen_run *run, const pen_eig *e, const pen_factored *B, int64_t rank,
                           double **V, int64_t *k)
{
    const int64_t r = B->rows ? rank : e->d;

    PEN_TRY(PEN_NEW(run, *V, pen_times(r + B->count, e->d)));
    memcpy(*V, e->vectors, (size_t)(r * e->d) * sizeof **V);
    return pen_factored_complete(run, B, *V, r, k);
}

pen_status pen_solve_compress(pen_run *run, const pen_factored *W, const pen_factored *B,
                              const pen_stretch_params *params, const pen_request *request,
                              pen_projection *out)
{
    pen_eig e, u;
    pen_sym S;
    double *V, *columns;
    int64_t k, there = 0;

    PEN_TRY(pen_factored_eig(run, W, &e));
    const struct stretched l = choose(run, &e, params, request->wanted, 0);
    PEN_TRY(basis_of(run, &e, B, l.rank, &V, &k));
    stretch_rows(&e, &l, V);
    if (k == 0)
        return pen_solve_enough(run, 0, request);
    PEN_TRY(pen_factored_project(run, B, V, k, &S));
    PEN_TRY(pen_eig_largest(run, &S, NULL, request->wanted ? pen_min(request->wanted, k) : k, &u));
    PEN_TRY(make_columns(run, u.vectors, u.k, V, k, e.d, &columns));
    const int64_t most = rank_of(u.values, u.rank, e.d);
    while (there < most && u.values[there] > pen_factored_noise(B, columns + there * e.d))
        there++;
    out->residual = u.residual;
    return take_columns(run, columns, e.d, u.values, there, request, out);
}
