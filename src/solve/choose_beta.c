/* choose_beta.c - cross-validation of SELF, transductive: what all rows have in common is computed
 * once.
 *
 * Distances in all weighted columns are those of M = C^-1 B C^-1, so the columns themselves are not
 * needed: z = F'C^-1 x with B = F F'. Only for fewer dimensions are there eigenproblems. */
#include "solve/choose_beta.h"

#include "core/folds.h"
#include "core/rng.h"
#include "core/row_order.h"
#include "linalg/blas.h"
#include "neighbors/nearest.h"

#include <math.h>
#include <string.h>

enum { SHARES = 5, MOST_FOLDS = 10, SEED = 0 };

static const double SHARE[SHARES] = { 0.001, 0.25, 0.5, 0.75, 1 };

/* Where labels are too few to choose. */
static const double USUAL = 0.75;

/* Added to the diagonal of B relative to its trace, so that it has a Cholesky factor. */
static const double TINY = 1e-12;

struct choice {
    pen_rows x; /* the labelled rows that take part */
    int64_t k;  /* dimensions; 0: all */
    const pen_share_rules *rules;
    pen_request request;
    pen_sym S_t;
    pen_affinity_scale scale;
    const double *rows; /* [labelled x d] centered */
    int64_t folds, runs, *order;
    int32_t *fold;                       /* [n] */
    int64_t wrong[SHARES], left[SHARES]; /* errors, and rows of all runs that are not tried yet */
};

static int64_t columns(const struct choice *h)
{
    return h->k ? h->k : h->x.d;
}

/* ---- one share in one fold ---- */

/* Coordinates z [labelled x d] in all weighted columns, but rotated; *there: 0 if C or B has no
 * Cholesky factor. */
static pen_status embed_in_all(pen_run *run, const struct choice *h, const pen_sym *B,
                               const pen_sym *C, double *z, int *there)
{
    const int64_t d = B->d, l = h->x.labelled;
    const double tiny = TINY * pen_sym_trace(B);
    double *u; /* [d x labelled] C^-1 x */
    pen_sym factor, F;

    PEN_TRY(PEN_NEW(run, u, pen_times(d, l)));
    PEN_TRY(pen_sym_copy(run, C, &factor));
    PEN_TRY(pen_sym_copy(run, B, &F));
    pen_sym_add_identity(tiny, &F);
    *there = pen_lapack_cholesky(d, factor.a) == 0 && pen_lapack_cholesky(d, F.a) == 0;
    if (!*there)
        return PEN_OK;
    pen_transpose(l, d, h->rows, u);
    pen_lapack_cholesky_solve(d, l, factor.a, u);
    for (int64_t i = 0; i < d; i++)
        for (int64_t j = i + 1; j < d; j++)
            F.a[i * d + j] = 0;
    pen_blas_gemm(PEN_F64, PEN_TRANSPOSED, PEN_PLAIN, l, d, d, 1, u, l, F.a, d, 0, z, d);
    return PEN_OK;
}

/* Coordinates z [labelled x k] in the first k weighted columns. */
static pen_status embed_in_some(pen_run *run, const struct choice *h, const pen_sym *B,
                                const pen_sym *C, double *z)
{
    const int64_t d = B->d, k = h->k;
    pen_eig e;

    PEN_TRY(pen_eig_regular(run, B, C, k, &e));
    for (int64_t c = 0; c < k; c++)
        for (int64_t j = 0; j < d; j++)
            e.vectors[c * d + j] *= sqrt(e.values[c]);
    pen_blas_gemm(PEN_F64, PEN_PLAIN, PEN_TRANSPOSED, h->x.labelled, k, d, 1, h->rows, d, e.vectors,
                  d, 0, z, k);
    return PEN_OK;
}

/* The rows of fold f and the others, apart: `rows` and `classes` [labelled], the others first. */
static void divide(const struct choice *h, int32_t f, int64_t k, const double *z, double *rows,
                   int32_t *classes, pen_nearest *trial)
{
    const pen_rows *const x = &h->x;

    for (int64_t c = 0; c < x->classes; c++)
        for (int64_t i = x->starts[c]; i < x->starts[c + 1]; i++) {
            const int hidden = h->fold[x->members[i]] == f;
            const int64_t at = hidden ? x->labelled - ++trial->hidden : trial->known++;
            memcpy(rows + at * k, z + i * k, (size_t)k * sizeof *rows);
            classes[at] = (int32_t)c;
        }
    trial->known_rows = rows;
    trial->known_classes = classes;
    trial->hidden_rows = rows + trial->known * k;
    trial->hidden_classes = classes + trial->known;
}

/* The number of rows of fold f that 1-NN by the others classifies wrongly in z [labelled x k]. */
static pen_status count_wrong(pen_run *run, const struct choice *h, int32_t f, int64_t k,
                              const double *z, int64_t *wrong)
{
    const int64_t l = h->x.labelled;
    pen_nearest trial = { .d = k };
    double *rows;
    int32_t *classes;
    int64_t right;

    PEN_TRY(PEN_NEW(run, rows, pen_times(l, k)));
    PEN_TRY(PEN_NEW(run, classes, l));
    divide(h, f, k, z, rows, classes, &trial);
    PEN_TRY(pen_nearest_correct(run, &trial, 1, &right));
    *wrong += trial.hidden - right;
    return PEN_OK;
}

/* Coordinates z [labelled x columns(h)] of all rows that take part. */
static pen_status embed(pen_run *run, const struct choice *h, int share, const pen_sym *S_lb,
                        const pen_sym *S_lw, double *z, int *there)
{
    const double b = SHARE[share], w = pen_beta_within(h->rules->within, b);
    const pen_ridge ridge = { .amount = fmax(0, h->rules->ridge) };
    pen_projection map = { .k = 0 };
    pen_regular p;
    pen_sym B, C;
    double condition;

    PEN_TRY(PEN_ZEROS(run, h->x.d, &B, &C));
    pen_sym_add_scaled(1 - b, S_lb, &B); /* B = (1-b) S_lb + b S_t */
    pen_sym_add_scaled(b, &h->S_t, &B);
    pen_sym_add_scaled(1 - w, S_lw, &C); /* C = (1-w) S_lw + w I */
    pen_sym_add_identity(w, &C);
    PEN_TRY(pen_regular_open(run, &B, &C, &ridge, &h->request, &p, &map));
    PEN_TRY(pen_eig_condition(run, &B, &C, &condition));
    *there = condition > 0;
    if (*there && h->k)
        return embed_in_some(run, h, &B, &C, z);
    return *there ? embed_in_all(run, h, &B, &C, z, there) : PEN_OK;
}

/* All rows of a fold are wrong where C is singular. */
static pen_status judge_fold(pen_run *run, struct choice *h, int32_t f, int share, const double *z,
                             int there)
{
    int64_t size = 0;

    for (int64_t i = 0; i < h->x.labelled; i++)
        size += h->fold[h->x.members[i]] == f;
    h->left[share] -= size;
    if (there)
        return count_wrong(run, h, f, columns(h), z, &h->wrong[share]);
    h->wrong[share] += size;
    return PEN_OK;
}

static pen_status try_share(pen_run *run, struct choice *h, int32_t f, int share,
                            const pen_sym *S_lb, const pen_sym *S_lw)
{
    double *z;
    int there;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, z, pen_times(h->x.labelled, columns(h))));
    PEN_TRY(embed(run, h, share, S_lb, S_lw, z, &there));
    PEN_TRY(judge_fold(run, h, f, share, z, there));
    pen_release(run, mark);
    return PEN_OK;
}

/* ---- which shares are still to be tried ---- */

/* The fewest and half a standard error. */
static double most_errors(const struct choice *h, double fewest)
{
    const double runs = (double)h->runs, l = (double)h->x.labelled, each = fewest / runs;
    return fewest + runs * sqrt(fmax(0, each * (1 - each / l))) / 2;
}

/* A share with more errors than can be allowed in the end is not chosen, whatever follows. */
static int is_open(const struct choice *h, int share)
{
    int64_t fewest = INT64_MAX;

    for (int s = 0; s < SHARES; s++)
        fewest = pen_min(fewest, h->wrong[s] + h->left[s]);
    return h->left[share] > 0 && (double)h->wrong[share] <= most_errors(h, (double)fewest);
}

static int any_open(const struct choice *h)
{
    int count = 0;

    for (int share = 0; share < SHARES; share++)
        count += is_open(h, share);
    return count > 0;
}

/* ---- folds ---- */

static pen_status try_fold(pen_run *run, struct choice *h, int32_t f)
{
    pen_rows known;
    pen_sym S_lb, S_lw;
    int32_t *labels;

    if (!any_open(h))
        return PEN_OK;
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(pen_folds_select(run, &h->x, h->fold, f, 0, &labels, &known));
    PEN_TRY(PEN_ZEROS(run, h->x.d, &S_lb, &S_lw));
    PEN_TRY(pen_scatter_local_scaled(run, 1, 1, &known, &h->scale, &S_lb, &S_lw));
    for (int share = SHARES - 1; share >= 0; share--)
        if (is_open(h, share))
            PEN_TRY(try_share(run, h, f, share, &S_lb, &S_lw));
    pen_release(run, mark);
    return PEN_OK;
}

static pen_status deal(pen_run *run, struct choice *h, int64_t r)
{
    return pen_folds_deal(run, &h->x, h->order, h->folds, 1, pen_rng_derive(SEED, (uint64_t)r),
                          h->fold);
}

/* Where B = S_t and C = I the embedding is the same in all folds. */
static pen_status try_total(pen_run *run, struct choice *h)
{
    const int share = SHARES - 1;
    pen_sym S_lb, S_lw;
    double *z;
    int there;

    if (pen_beta_within(h->rules->within, SHARE[share]) != 1)
        return PEN_OK;
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_ZEROS(run, h->x.d, &S_lb, &S_lw));
    PEN_TRY(PEN_NEW(run, z, pen_times(h->x.labelled, columns(h))));
    PEN_TRY(embed(run, h, share, &S_lb, &S_lw, z, &there));
    for (int64_t r = 0; r < h->runs; r++) {
        PEN_TRY(deal(run, h, r));
        for (int64_t f = 0; f < h->folds; f++)
            PEN_TRY(judge_fold(run, h, (int32_t)f, share, z, there));
    }
    pen_release(run, mark);
    return PEN_OK;
}

static pen_status try_all(pen_run *run, struct choice *h)
{
    h->runs = MOST_FOLDS / h->folds;
    for (int share = 0; share < SHARES; share++)
        h->left[share] = h->runs * h->x.labelled;
    PEN_TRY(try_total(run, h));
    for (int64_t r = 0; r < h->runs; r++) {
        PEN_TRY(deal(run, h, r));
        for (int64_t f = 0; f < h->folds; f++)
            PEN_TRY(try_fold(run, h, (int32_t)f));
    }
    return PEN_OK;
}

static pen_status try_folds(pen_run *run, const pen_problem *problem, struct choice *h)
{
    const pen_rows *const x = &problem->rows;
    pen_problem known = *problem;
    double *rows;

    PEN_TRY(PEN_NEW(run, h->fold, x->n));
    PEN_TRY(pen_rows_order(run, x, &h->order));
    PEN_TRY(pen_folds_some(run, x, h->order, MOST_FOLDS, h->fold, &h->x, &h->folds));
    if (h->folds == 0)
        return PEN_OK;
    PEN_TRY(PEN_NEW(run, rows, pen_times(h->x.labelled, x->d)));
    pen_rows_centered(x, h->x.members, 0, h->x.labelled, rows);
    h->rows = rows;
    known.rows = h->x;
    PEN_TRY(pen_scatter_local_scale(run, &known, &h->rules->affinity, PEN_SCALING_ALL, &h->scale));
    PEN_TRY(pen_sym_zero(run, x->d, &h->S_t));
    PEN_REQUIRE(run, !h->S_t.terms, PEN_BAD_ARGUMENT,
                "%lld rows with %lld columns are too many of both to choose beta; set beta, or pca "
                "to a number of components, such as 100",
                (long long)x->n, (long long)x->d);
    PEN_TRY(pen_scatter_total(run, 1, x, h->rules->total, &h->S_t));
    return try_all(run, h);
}

/* The largest share with no more errors than the fewest and half a standard error. */
static double choose(const struct choice *h)
{
    int64_t fewest = h->wrong[0];
    int best = SHARES - 1;

    for (int share = 1; share < SHARES; share++)
        fewest = pen_min(fewest, h->wrong[share]);
    while (best > 0 && !((double)h->wrong[best] <= most_errors(h, (double)fewest)))
        best--;
    return SHARE[best];
}

double pen_beta_within(double within, double beta)
{
    return within == PEN_BETA_SAME ? beta : within;
}

pen_status pen_choose_beta(pen_run *run, const pen_problem *problem, const pen_share_rules *rules,
                           const pen_request *request, double *beta)
{
    const pen_rows *const x = &problem->rows;
    struct choice h = { .k = request->wanted < pen_min(pen_rows_count(x) - 1, x->d)
                                 ? request->wanted
                                 : 0,
                        .rules = rules,
                        .request = *request };

    if (*beta != PEN_BETA_AUTO)
        return PEN_OK;
    const pen_mark_t mark = pen_mark(run);
    *beta = USUAL;
    h.request.rows = NULL; /* a singular denominator counts as errors */
    PEN_TRY(try_folds(run, problem, &h));
    if (h.runs > 0) {
        pen_trace_restart(run, "beta_errors");
        for (int share = 0; share < SHARES; share++)
            PEN_TRY(pen_trace(run, "beta_errors", (double)h.wrong[share]));
        *beta = choose(&h);
    }
    pen_note(run, "beta", *beta);
    pen_release(run, mark);
    return PEN_OK;
}
