/* level.c - stretch or compress, then solve. */
#include "linalg/level.h"

#include "linalg/blas.h"

#include <float.h>
#include <math.h>
#include <string.h>

const pen_word pen_target_words[] = { { "none", PEN_TARGET_NONE }, { "mean", PEN_TARGET_MEAN }, { NULL, 0 } };

/* A sum that is `threshold` of the whole but for rounding is not above it. */
static const double TIE = 1e-12;

/* Eigenvalues below so much of the largest are 0: where columns are to be chosen among those of a null space. */
static const double NULL_SPACE = 1e-10;

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

/* ---- what is levelled, and to what ---- */

struct levelled {
    int64_t rank, i;
    double c;
};

static struct levelled choose(pen_run *run, const pen_eig *e, const pen_level *level, int64_t wanted, int stretch)
{
    struct levelled l = { .rank = rank_of(e->values, e->rank, e->d) };
    double sum = 0, part = 0;

    for (int64_t j = 0; j < l.rank; j++)
        sum += e->values[j];
    while (l.i < l.rank && (part + e->values[l.i]) / sum <= level->threshold + TIE)
        part += e->values[l.i++];
    l.i = pen_min(pen_max(l.i, pen_max(wanted, 1)), l.rank);
    part = 0;
    for (int64_t j = 0; j < l.i; j++)
        part += e->values[j];
    if (l.i > 0)
        l.c = level->target > 0 ? level->target : level->target == PEN_TARGET_MEAN ? part / (double)l.i : e->values[stretch ? 0 : l.i - 1];
    pen_note(run, "rank", (double)l.rank);
    pen_note(run, "levelled", (double)l.i);
    if (l.i > 0)
        pen_note(run, "spread", e->values[0] / e->values[l.i - 1]);
    return l;
}

/* V [rows x d]: vectors, the first i of them levelled. */
static void level_rows(const pen_eig *e, const struct levelled *l, double *V)
{
    for (int64_t j = 0; j < l->i; j++) {
        const double factor = sqrt(l->c / e->values[j]);
        for (int64_t a = 0; a < e->d; a++)
            V[j * e->d + a] = factor * V[j * e->d + a];
    }
}

/* ---- columns ---- */

/* U V [k x d]: vectors u in the coordinates of the rows of V. */
static pen_status make_columns(pen_run *run, const double *U, int64_t k, const double *V, int64_t inner, int64_t d, double **columns)
{
    PEN_TRY(PEN_NEW(run, *columns, k * d));
    blas_gemm(PEN_F64, PEN_PLAIN, PEN_PLAIN, k, d, inner, 1, U, inner, V, d, 0, *columns, d);
    return PEN_OK;
}

static pen_status take_columns(pen_run *run, const double *columns, int64_t d, const double *values, int64_t there, pen_map *out)
{
    PEN_TRY(solve_enough(run, there, out));
    out->d = d;
    out->k = out->wanted ? pen_min(out->wanted, there) : there;
    PEN_TRY(PEN_NEW(run, out->W, d * out->k));
    PEN_TRY(PEN_NEW(run, out->eigenvalues, out->k));
    memcpy(out->eigenvalues, values, (size_t)out->k * sizeof *values);
    for (int64_t c = 0; c < out->k; c++)
        for (int64_t j = 0; j < d; j++)
            out->W[j * out->k + c] = columns[c * d + j];
    return PEN_OK;
}

/* ---- stretch ---- */

/* U [i x i], rows by ascending values: within the span of those with value 0, to vectors of ascending u' diag(c / lambda) u. */
static pen_status order_null_space(pen_run *run, const double *lambda, double c, int64_t i, double *values, double *U)
{
    int64_t z = 0;
    pen_sym G;
    pen_eig e;
    double *turned;

    while (z < i && values[z] <= NULL_SPACE * values[i - 1])
        values[z++] = 0;
    if (z < 2)
        return PEN_OK;
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(sym_zero(run, z, &G));
    PEN_TRY(PEN_NEW(run, turned, z * i));
    for (int64_t a = 0; a < z; a++)
        for (int64_t j = 0; j < i; j++)
            turned[a * i + j] = U[a * i + j] * sqrt(c / lambda[j]);
    blas_gemm(PEN_F64, PEN_PLAIN, PEN_TRANSPOSED, z, z, i, 1, turned, i, turned, i, 0, G.a, z);
    sym_note(&G, z, DBL_EPSILON);
    PEN_TRY(eig_largest(run, &G, NULL, z, &e));
    eig_reverse(&e);
    blas_gemm(PEN_F64, PEN_PLAIN, PEN_PLAIN, z, i, z, 1, e.vectors, z, U, i, 0, turned, i);
    memcpy(U, turned, (size_t)(z * i) * sizeof *U);
    pen_release(run, mark);
    return PEN_OK;
}

pen_status solve_stretch(pen_run *run, const pen_form *B, const pen_form *W, const pen_level *level, double limit, pen_map *out)
{
    pen_eig e, u;
    pen_sym S;
    double *columns;
    int64_t there = 0;

    PEN_TRY(form_eig(run, B, &e));
    const struct levelled l = choose(run, &e, level, out->wanted, 1);
    if (l.i == 0)
        return solve_enough(run, 0, out);
    level_rows(&e, &l, e.vectors);
    PEN_TRY(form_project(run, W, e.vectors, l.i, &S));
    PEN_TRY(eig_largest(run, &S, NULL, l.i, &u));
    eig_reverse(&u);
    PEN_TRY(order_null_space(run, e.values, l.c, l.i, u.values, u.vectors));
    while (there < l.i && u.values[there] < limit)
        there++;
    out->residual = u.residual;
    PEN_TRY(make_columns(run, u.vectors, l.i, e.vectors, l.i, e.d, &columns));
    return take_columns(run, columns, e.d, u.values, there, out);
}

/* ---- compress ---- */

/* The eigenvectors of W as rows, and behind them what else B spans. */
static pen_status basis_of(pen_run *run, const pen_eig *e, const pen_form *B, int64_t rank, double **V, int64_t *k)
{
    const int64_t r = B->rows ? rank : e->d;

    PEN_TRY(PEN_NEW(run, *V, (r + B->count) * e->d));
    memcpy(*V, e->vectors, (size_t)(r * e->d) * sizeof **V);
    return form_complete(run, B, *V, r, k);
}

pen_status solve_compress(pen_run *run, const pen_form *W, const pen_form *B, const pen_level *level, pen_map *out)
{
    pen_eig e, u;
    pen_sym S;
    double *V, *columns;
    int64_t k, there = 0;

    PEN_TRY(form_eig(run, W, &e));
    const struct levelled l = choose(run, &e, level, out->wanted, 0);
    PEN_TRY(basis_of(run, &e, B, l.rank, &V, &k));
    level_rows(&e, &l, V);
    if (k == 0)
        return solve_enough(run, 0, out);
    PEN_TRY(form_project(run, B, V, k, &S));
    PEN_TRY(eig_largest(run, &S, NULL, out->wanted ? pen_min(out->wanted, k) : k, &u));
    PEN_TRY(make_columns(run, u.vectors, u.k, V, k, e.d, &columns));
    const int64_t most = rank_of(u.values, u.rank, e.d);
    while (there < most && u.values[there] > form_noise(B, columns + there * e.d))
        there++;
    out->residual = u.residual;
    return take_columns(run, columns, e.d, u.values, there, out);
}
